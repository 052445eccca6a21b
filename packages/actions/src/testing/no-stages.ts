import { GoingOn } from '../pipeline/going-on.ts';
import type { PipelineParts } from '../pipeline/pipeline-parts.ts';
import type { LabelStage, SnapshotStage } from '../pipeline/stages.ts';

/** A flow that allows everything and has no labels. */
export const noLabels: LabelStage = {
  decide: () => ({ says: 'allow' }),
  factsOf: () => undefined,
  labelOf: () => undefined,
  told: () => {},
  wrote: () => {},
  deleted: () => {},
  boxBegun: () => {},
  boxEnded: async () => {},
  goingOn: new GoingOn(),
  liveBegun: () => {},
  liveEnded: async () => {},
};

/** Keeps nothing. */
export const noSnapshots: SnapshotStage = {
  take: async () => {},
  takeEffects: async () => {},
  earlierLosses: () => ({ count: 0, isMade: () => false }),
  finish: async () => {},
};

/** Commands whose effects are held back until they are judged, in every folder. */
export const heldBackCommands: Pick<PipelineParts, 'chooseView' | 'everyCommandAsks'> = {
  chooseView: async () => {},
  everyCommandAsks: () => undefined,
};

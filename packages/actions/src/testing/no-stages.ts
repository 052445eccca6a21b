import type { LabelStage, SnapshotStage } from '../pipeline/stages.ts';

/** A flow that allows everything and has no labels. */
export const noLabels: LabelStage = {
  decide: () => ({ says: 'allow' }),
  factsOf: () => undefined,
  labelOf: () => undefined,
  told: () => {},
  wrote: () => {},
  deleted: () => {},
  liveBegun: () => {},
  liveEnded: async () => {},
};

/** Keeps nothing. */
export const noSnapshots: SnapshotStage = {
  take: async () => {},
  takeEffects: async () => {},
  finish: async () => {},
};

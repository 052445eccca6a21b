export { recordedFate } from './recovery/action-fate.ts';
export type { Compactor } from './run/compactor.ts';
export { Round } from './run/round.ts';
export { runStage, sentMessage } from './testing/run-stage.ts';
export { type StageOptions, sessionStage } from './testing/session-stage.ts';

export { Chronicle, type ChronicleOptions, type SnapshotEntry, type SnapshotRequest } from './chronicle.ts';
export type { ObjectState } from './object-state.ts';
export type { NamedPath } from './pre-image.ts';
export type { Retention } from './retention.ts';
export type { RestoreStep, RollbackConflict } from './rollback/plan-rollback.ts';
export { type RollbackReport, type RollbackRequest, Rollbacks } from './rollback/rollbacks.ts';
export type { Snapshot, SnapshotChange } from './snapshot.ts';

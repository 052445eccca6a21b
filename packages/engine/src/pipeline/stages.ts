import type { Action, Verdict } from '@bulkhead/protocol';

/** A stage later work fills. `present` is what `status` reports. */
interface Stage {
  readonly name: string;
  readonly present: boolean;
}

/** Information flow: may this action, with what its session has seen, reach its sinks? [F1] */
export interface LabelStage extends Stage {
  decide(action: Action): Verdict | undefined;
}

/** Keeps what an action is about to change. A snapshot that fails stops the action [U2]. */
export interface SnapshotStage extends Stage {
  take(action: Action): Promise<void>;
}

export const labelsNotPresent: LabelStage = {
  name: 'information flow labels',
  present: false,
  decide: () => undefined,
};

export const snapshotsNotPresent: SnapshotStage = {
  name: 'snapshots (writes can not be undone)',
  present: false,
  take: async () => {},
};

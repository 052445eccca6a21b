import type { Action, CommandEffects, FileChange, Verdict } from '@bulkhead/protocol';

/** A stage later work fills. `present` is what `status` reports. */
interface Stage {
  readonly name: string;
  readonly present: boolean;
}

/** Information flow: may this action, with what its session has seen, reach its sinks? [F1] */
export interface LabelStage extends Stage {
  decide(action: Action): Verdict | undefined;
}

/**
 * Keeps what an action is about to change. One that can't be kept must not be changed: the first two reject then, and
 * the action, or the effects of the command, don't happen [U2].
 */
export interface SnapshotStage extends Stage {
  /** Keeps what the action names, before it begins. @param changes what it was foretold to do */
  take(action: Action, changes: readonly FileChange[]): Promise<void>;
  /** Keeps what the changes of a command displace, before any of them is kept. */
  takeEffects(action: Action, effects: CommandEffects): Promise<void>;
  /** Sees what an action left that has ended, however it did. Once; never rejects. */
  finish(action: Action): Promise<void>;
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
  takeEffects: async () => {},
  finish: async () => {},
};

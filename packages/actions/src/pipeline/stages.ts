import type { Action, CommandEffects, Decision, FileChange, Verdict } from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';
import type { EarlierLosses } from '../transactions/losses.ts';
import type { GoingOn } from './going-on.ts';

/** The explicit decision of information flow about an action: any other value is no approval. */
export type FlowDecision =
  /** The action may continue. */
  | { readonly says: 'allow' }
  /**
   * Flow only audits: the action continues, and the decision that flow would have made is noted.
   */
  | { readonly says: 'audit'; readonly decision: Decision; readonly rule: string }
  | { readonly says: 'object'; readonly verdict: Verdict };

/** The paths and hosts of a call's arguments, determined once: links may change later. */
export interface ActionFacts {
  readonly action: string;
  readonly workingFolder: string;
  /** Absolute, with links followed; includes the reads of a command. */
  readonly paths: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
  readonly hosts: readonly string[];
  /** `host:port` of servers that a person has allowed besides; absent: none. */
  readonly granted?: readonly string[] | undefined;
  /** Files with credentials that a person has allowed it to read, below the working folder; absent: none. */
  readonly secretFiles?: readonly string[] | undefined;
}

/** Information flow: may this action, after the reads of its session, reach its sinks? [F1] */
export interface LabelStage {
  decide(action: Action): FlowDecision;
  /**
   * Facts to log with the action, so that later replays see the same ones; undefined if no one
   * needs them.
   */
  factsOf(action: Action): ActionFacts | undefined;
  /** The secrecy and trust of everything that the session has read; undefined if unknown. */
  labelOf(sessionId: string): Label | undefined;
  /** The session's log has a new output: its writes are labelled before any other read. */
  told(sessionId: string): void;
  /**
   * Absolute paths that a command is about to change: they get the label of the session's and
   * command's reads.
   */
  wrote(action: Action, paths: readonly string[]): void;
  /** Absolute paths that a command has deleted. */
  deleted(action: Action, paths: readonly string[]): void;
  /**
   * A command starts: what it may leave in its private home gets the label of its reads.
   */
  boxBegun(action: Action): void;
  /** The actions of commands that go on after their call. */
  readonly goingOn: GoingOn;
  /** The command has ended: its home keeps the label if it wrote there. */
  boxEnded(actionId: string): Promise<void>;
  /**
   * A command starts that writes its folder directly: until its changes are labelled, the whole
   * folder has its label.
   */
  liveBegun(action: Action): void;
  /** The command has ended: its changes get labels. No effect for other actions. */
  liveEnded(actionId: string): Promise<void>;
}

/** The loss of a command, as a number of contents. */
export interface CountedLoss {
  readonly count: number;
  /** A person allowed the loss: an approval of other changes does not count. */
  readonly isAllowed: boolean;
}

/**
 * Takes snapshots of the files that an action is about to change. If a snapshot fails, the first
 * two methods reject, and the action, or the effects of the command, do not happen [U2].
 */
export interface SnapshotStage {
  /**
   * Takes a snapshot of the files that the action names, before it starts.
   *
   * @param changes the planned changes
   * @param folder the folder of all changes, if not the working folder
   */
  take(action: Action, changes: readonly FileChange[], folder?: string): Promise<void>;
  /** Takes a snapshot of the files that a command's changes replace, before any change is kept. */
  takeEffects(action: Action, effects: CommandEffects, lost?: CountedLoss): Promise<void>;
  /** The facts of earlier actions that judge the losses of a command. */
  earlierLosses(action: Action): EarlierLosses;
  /**
   * Records the final state of an ended action, whether it succeeded or not. Once; never rejects.
   */
  finish(action: Action): Promise<void>;
}

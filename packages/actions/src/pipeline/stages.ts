import type { Action, CommandEffects, Decision, FileChange, Verdict } from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';

/** What information flow says of an action, in so many words: an answer that is none of these is no yes. */
export type FlowDecision =
  /** It may go on. */
  | { readonly says: 'allow' }
  /** Flow only audits: it goes on, and what would have been decided is noted. */
  | { readonly says: 'audit'; readonly decision: Decision; readonly rule: string }
  | { readonly says: 'object'; readonly verdict: Verdict };

/** What a call's arguments lead to, found out once: links may lead elsewhere later. */
export interface ActionFacts {
  readonly action: string;
  readonly workingFolder: string;
  /** Absolute, with links followed; with what a command reads. */
  readonly paths: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
  readonly hosts: readonly string[];
}

/** Information flow: may this action, with what its session has read, reach its sinks? [F1] */
export interface LabelStage {
  decide(action: Action): FlowDecision;
  /** To be kept in the log with the action: what is read from the log later must be what was; undefined if nobody asks for it. */
  factsOf(action: Action): ActionFacts | undefined;
  /** How secret and how foreign what the session has read is; undefined if that isn't known. */
  labelOf(sessionId: string): Label | undefined;
  /** The log of the session has another output: what it wrote is labelled before anybody else reads it. */
  told(sessionId: string): void;
  /** What a command is about to leave changed, absolute: it carries what the session and the command have read. */
  wrote(action: Action, paths: readonly string[]): void;
  /** What a command has deleted, absolute. */
  deleted(action: Action, paths: readonly string[]): void;
  /** A command begins that writes its folder itself: until it was looked after, all there carries what it carries. */
  liveBegun(action: Action): void;
  /** It has ended: what it changed is labelled. For an action that was none, nothing happens. */
  liveEnded(actionId: string): Promise<void>;
}

/**
 * Keeps what an action is about to change. One that can't be kept must not be changed: the first two reject then, and
 * the action, or the effects of the command, don't happen [U2].
 */
export interface SnapshotStage {
  /**
   * Keeps what the action names, before it begins.
   *
   * @param changes what it was foretold to do
   * @param folder where it changes all of that, if not in the working folder
   */
  take(action: Action, changes: readonly FileChange[], folder?: string): Promise<void>;
  /** Keeps what the changes of a command displace, before any of them is kept. */
  takeEffects(action: Action, effects: CommandEffects): Promise<void>;
  /** Sees what an action left that has ended, however it did. Once; never rejects. */
  finish(action: Action): Promise<void>;
}

import type { ApprovalMode, DurableEventBody, ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { ActionIntent } from '@bulkhead/protocol/records';
import type { OfferedTool } from '../client-tools/offered-tool.ts';
import type { ActionFacts } from './stages.ts';

/** What one action needs of the run it belongs to. */
export interface ActionContext {
  readonly approve: ApprovalMode;
  /** True: what isn't read-only is described and not done [A5]. */
  readonly dryRun: boolean;
  /** True: nothing but reading, and nothing of it is kept [S5]. */
  readonly offTheRecord: boolean;
  /**
   * Likenesses of actions that may have taken effect already: the same again needs a person's yes [T8]. An action of which
   * that becomes true is added; one that a person has allowed again is taken out.
   */
  readonly doubtful: Set<string>;
  /** The way the run was asked for: `client`, or the name of a channel; absent where it isn't known. */
  readonly channel?: string;
  /** The user's message that started the run. */
  readonly request: string;
  /** The tool of the call, if it is one of the program that started the run. */
  readonly offered?: OfferedTool;
  readonly signal: AbortSignal;
  /** Aborts with a `Suspension` when the engine stops: what has not begun does not begin, and nobody is asked any more. */
  readonly stopping: AbortSignal;
  readonly update: ToolUpdate;
  /** Appends durable events of the action to the session's log. */
  publish(...events: readonly DurableEventBody[]): void;
  /** Says that the action begins, and keeps what its arguments lead to now. */
  start(event: DurableEventBody, facts: ActionFacts | undefined): void;
  /** Makes the intent durable. What it announces happens after it returns, or not at all. */
  intend(intent: ActionIntent): void;
}

export interface ActionOutcome {
  readonly result: ToolResult;
  /** True if protection, policy or approval refused it; false if it ran, or was no valid call. */
  readonly refused: boolean;
  /** The end of the action: to be recorded with its result, in one commit. */
  readonly completed: DurableEventBody;
}

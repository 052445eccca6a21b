import type { ApprovalMode, DurableEventBody, ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { ActionIntent } from '@bulkhead/protocol/records';
import type { OfferedTool } from '../client-tools/offered-tool.ts';
import type { Given } from '../grants/given.ts';
import type { ActionFacts } from './stages.ts';

/** The context of an action: data and callbacks of its run. */
export interface ActionContext {
  readonly approve: ApprovalMode;
  /** True: actions that are not read-only are described, not executed [A5]. */
  readonly dryRun: boolean;
  /** True: only reads are allowed, and nothing is kept [S5]. */
  readonly offTheRecord: boolean;
  /**
   * Fingerprints of actions with an unknown outcome: a repetition needs a person's approval [T8].
   * An action is added when its outcome becomes unknown, and removed when a person allows it again.
   */
  readonly doubtful: Set<string>;
  /** The person's messages of the run, oldest first: the one that started it, and what was added since. */
  readonly requests: readonly string[];
  /** The tool of the call, if the program that started the run supplied it. */
  readonly offered?: OfferedTool;
  readonly signal: AbortSignal;
  /**
   * Aborts with a `Suspension` when the engine stops: no new action starts, and no question is
   * asked.
   */
  readonly stopping: AbortSignal;
  readonly update: ToolUpdate;
  /** Appends durable events of the action to the session's log. */
  publish(...events: readonly DurableEventBody[]): void;
  /** Records the start of the action, and the present facts of its arguments. */
  start(event: DurableEventBody, facts: ActionFacts | undefined): void;
  /**
   * Records the end of an action that is repeated at once, with permission for what it lacked: the
   * call has no result yet. Absent: no action is repeated.
   */
  repeated?(completed: DurableEventBody): void;
  /** Makes the intent durable. Its effect happens only after this returns. */
  intend(intent: ActionIntent): void;
}

export interface ActionOutcome {
  readonly result: ToolResult;
  /** True if protection, policy or approval refused it; false if it ran, or was an invalid call. */
  readonly refused: boolean;
  /** The end of the action: record it with the result, in one commit. */
  readonly completed: DurableEventBody;
  /** A person has allowed what it lacked: nothing of it was kept, and the call is made again, once. */
  readonly repeat?: Repeat;
}

/** Permission to make a call again. */
export interface Repeat {
  /** The action that lacked something. */
  readonly action: string;
  /** The permissions that it has now. */
  readonly given: Given;
  /** For the model and the user: the permission could not be stored. */
  readonly remark?: string;
}

import type { ApprovalScope } from './approval-fate.ts';
import type { EffectCounts } from './command-effects.ts';
import type { Need } from './need.ts';
import type { CallOrigin, Origin } from './origin.ts';
import type { Decision } from './verdict.ts';

/**
 * The events of a session as every client sees them: `run --json`, gRPC and WebSocket carry the same
 * lines. Durable events rise by one in `seq` per session and are views of the session's log; ephemeral
 * ones carry the `seq` of the durable event they precede.
 */
export interface EventEnvelope {
  readonly seq: number;
  /** RFC 3339. */
  readonly time: string;
  readonly session: string;
  /** The run this event belongs to; empty outside one. */
  readonly turn: string;
  readonly ephemeral?: true;
}

export type SessionEvent = EventEnvelope & EventBody;

export type EventBody = DurableEventBody | EphemeralEventBody;

export interface EventUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Input tokens written to the provider's cache; undefined if it reported none. */
  readonly cacheWriteTokens?: number;
}

export type StopReasonName = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'error' | 'other';

export interface EventThought {
  readonly kind: 'reasoning' | 'tool_call';
  readonly summary: string;
  readonly detail?: { readonly tool_name: string; readonly success: boolean };
}

/** L7: the activity of a session. */
export type StateName = 'idle' | 'thinking' | 'executing' | 'compacting' | 'aborting' | 'error';

/** The outcome of an action, as far as it can be known [T8]. */
export type ActionFate = 'executed' | 'not_executed' | 'unknown';

export type Outcome = 'completed' | 'failed' | 'aborted' | 'blocked' | 'limit' | 'merged';

export type DurableEventBody =
  /**
   * Once per accepted message that starts a run, before its other events. `sandbox` is present,
   * with the value `off`, if the run is not boxed.
   */
  | { readonly type: 'agent_start'; readonly message: string; readonly sandbox?: 'off' }
  | { readonly type: 'agent_end'; readonly message: string }
  /** One model round; every `turn_start` has its `turn_end`. */
  | { readonly type: 'turn_start'; readonly round: number; readonly model: string }
  | {
      readonly type: 'turn_end';
      readonly round: number;
      readonly usage: EventUsage;
      readonly stopReason: StopReasonName;
    }
  | { readonly type: 'message_start'; readonly role: 'user' | 'assistant' }
  | {
      readonly type: 'message_end';
      readonly role: 'user' | 'assistant';
      /** Id of its entry in the session's tree; absent for a failed attempt, which is no entry. */
      readonly entry?: string;
      /** Id of the accepted message, for the user's own. */
      readonly input?: string;
      /** Where that message came from; absent where it is unknown. */
      readonly origin?: Origin;
      readonly text: string;
      readonly thinking?: string;
      readonly usage?: EventUsage;
      readonly cost?: number | null;
      readonly stopReason?: StopReasonName;
    }
  | { readonly type: 'tool_call'; readonly call: string; readonly tool: string; readonly arguments: unknown }
  /** Exactly one per `tool_call`, for every outcome. */
  | {
      readonly type: 'tool_output';
      readonly call: string;
      readonly tool: string;
      readonly text: string;
      readonly display?: string;
      readonly isError: boolean;
    }
  | {
      readonly type: 'action_started';
      readonly action: string;
      readonly call: string;
      readonly tool: string;
      readonly hash: string;
      /** The action of the same call that it repeats, after a person allowed what that one lacked. */
      readonly repeats?: string;
    }
  /**
   * Before a call is executed; again, with a rule `effects/…`, if a command's effects need approval
   * or are discarded.
   */
  | {
      readonly type: 'shield_verdict';
      readonly action: string;
      readonly hash: string;
      readonly decision: Decision;
      readonly tier: number;
      readonly rule: string;
      readonly reason: string;
    }
  | {
      readonly type: 'approval_requested';
      readonly approval: string;
      readonly action: string;
      readonly hash: string;
      readonly tool: string;
      /**
       * The facts for the decision: the place, each value of the call on its own line, and the
       * planned changes (for an ended command, its actual changes). Hidden characters are made
       * visible.
       */
      readonly shown: string;
      readonly reason: string;
      readonly expires: string;
      /** Possible scopes of an approval; absent: only once. */
      readonly scopes?: readonly ApprovalScope[];
      /** The policy rule or grant that `always` would add, hidden characters made visible. */
      readonly rule?: string;
      /** Where the message came from whose run asks; absent where it is unknown. */
      readonly origin?: Origin;
    }
  | {
      readonly type: 'approval_decided';
      readonly approval: string;
      readonly action: string;
      readonly hash: string;
      readonly decision: 'allow' | 'deny';
      /**
       * `grant`: approved earlier for the session. `limit`: too many questions, so no person was
       * asked. `restart`: the engine ended before an answer, and asks again.
       */
      readonly by: 'person' | 'run_option' | 'grant' | 'timeout' | 'nobody' | 'cancel' | 'limit' | 'restart';
      /** Scope of a person's approval. */
      readonly scope?: ApprovalScope;
      /** Who answered, and by which channel; only with `person`. */
      readonly approver?: CallOrigin;
    }
  /**
   * A call of a client tool has passed every check: its program must answer it with
   * `SubmitToolResult` until `expires`. These are its arguments.
   */
  | {
      readonly type: 'client_call';
      readonly action: string;
      readonly call: string;
      /** The program's name for it. */
      readonly name: string;
      readonly arguments: unknown;
      readonly expires: string;
    }
  /** Exactly one per `action_started`. */
  | {
      readonly type: 'action_completed';
      readonly action: string;
      readonly call: string;
      readonly hash: string;
      readonly success: boolean;
      readonly summary: string;
      /** Only if `success` does not show it: an action that a crash left open. */
      readonly fate?: ActionFate;
      /** True for a dry run: the call was only described. */
      readonly dryRun?: true;
      /** A command's effects on its folder, if it ran as a transaction and ended normally. */
      readonly effects?: EffectCounts;
      /**
       * For a failed or interrupted command: `nothing` of it remains, since all effects could be
       * held back; else the remains are `unknown`.
       */
      readonly left?: 'nothing' | 'unknown';
      /** The permissions that a failed command lacked. */
      readonly needs?: readonly Need[];
      /** `host:port` of each server that a command reached. */
      readonly reached?: readonly string[];
    }
  /** Before the wait that precedes another attempt at a model round. Followed by `retry_end`, also when cancelled. */
  | {
      readonly type: 'retry_start';
      /** From 1, for each model round. */
      readonly attempt: number;
      /** For each available model. */
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly code: string;
      readonly message: string;
      /** `provider/model` of the next attempt. */
      readonly model: string;
    }
  /** After the attempt: whether it gave an answer. */
  | { readonly type: 'retry_end'; readonly attempt: number; readonly success: boolean }
  /** Waiting messages, by id, in processing order. Sent when either list changes. */
  | { readonly type: 'queue_update'; readonly steer: readonly string[]; readonly followUp: readonly string[] }
  | { readonly type: 'state_change'; readonly from: StateName; readonly to: StateName }
  | {
      readonly type: 'session_before_compact';
      /** `threshold`: the conversation nears its limit. `after_run`: the same, in idle time. */
      readonly reason: 'overflow' | 'threshold' | 'request' | 'after_run';
      readonly messages: number;
    }
  /** No event follows if nothing could be gained. */
  | {
      readonly type: 'session_compact';
      readonly entry: string;
      /** No model gave a summary: earlier messages are left out of the model's view by rule. */
      readonly byRule?: true;
    }
  /** A run continues after its engine was stopped; counts of its open actions. */
  | {
      readonly type: 'run_resumed';
      readonly message: string;
      readonly executed: number;
      readonly notExecuted: number;
      readonly unknown: number;
    }
  | { readonly type: 'session_title'; readonly title: string }
  /** A person named an entry; an empty label removes the name. */
  | { readonly type: 'label'; readonly entry: string; readonly label: string }
  /**
   * A person moved the conversation: its leaf is the entry `to` now; empty for before the first.
   */
  | { readonly type: 'leaf_moved'; readonly from: string; readonly to: string }
  | {
      readonly type: 'response_complete';
      readonly text: string;
      readonly thoughts: readonly EventThought[];
      readonly usage: EventUsage;
      readonly cost: number | null;
    }
  | { readonly type: 'save_point' }
  /** Exactly one per accepted message: its end. */
  | {
      readonly type: 'settled';
      readonly message: string;
      readonly outcome: Outcome;
      readonly answer: string;
      readonly usage: EventUsage;
      /** US dollars; null when the price is unknown. */
      readonly cost: number | null;
      readonly rounds: number;
      readonly error?: { readonly code: string; readonly message: string };
    }
  | { readonly type: 'idle' }
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly retryable: boolean };

export type EphemeralEventBody =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'tool_delta'; readonly call: string; readonly text: string }
  /** Events were dropped for this subscriber; it can resume from `after`. */
  | { readonly type: 'gap'; readonly after: number };

export type EventType = EventBody['type'];

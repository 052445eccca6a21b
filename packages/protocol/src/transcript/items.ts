import type { EffectCounts } from '../command-effects.ts';
import type {
  ActionFate,
  DurableEventBody,
  EventThought,
  EventUsage,
  Outcome,
  StopReasonName,
} from '../events.ts';
import type { Decision } from '../verdict.ts';

type Body<Type extends DurableEventBody['type']> = Extract<DurableEventBody, { readonly type: Type }>;

/** Fields of every item of a transcript. */
interface ItemPlace {
  /** Its place in the transcript, from 0: never changes, so it is a key. */
  readonly index: number;
  /** RFC 3339. */
  readonly time: string;
  /** The run it belongs to; empty outside one. */
  readonly run: string;
}

export interface MessageItem extends ItemPlace {
  readonly kind: 'message';
  readonly role: 'user' | 'assistant';
  /** Id of its entry in the session's tree, once it is one. */
  readonly entry?: string;
  /** Id of the accepted message, for the user's own. */
  readonly input?: string;
  /**
   * For the user's own: the last reported entry of the conversation it was sent in; empty for none.
   */
  readonly before?: string;
  readonly text: string;
  readonly thinking: string;
  /**
   * True while it arrives: text and thinking hold the part so far, and the finished message
   * replaces them.
   */
  readonly streaming: boolean;
  /** True if an earlier part was missed; only while streaming. */
  readonly missed: boolean;
  /**
   * The finished message has neither text nor thinking (its calls follow it, or the attempt
   * failed): nothing to show.
   */
  readonly blank?: true;
  readonly usage?: EventUsage;
  /** US dollars; null when the price is unknown. */
  readonly cost?: number | null;
  readonly stopReason?: StopReasonName;
}

/**
 * State of a call. `proposed`: not judged yet. `asking`: approval is pending. `running`: allowed.
 * `described`: a dry run described its effects. `blocked`: refused by a rule; `denied`: by a
 * person, or because none answered.
 */
export type ToolState =
  | 'proposed'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  | 'described'
  | 'blocked'
  | 'denied';

export interface ToolVerdict {
  readonly decision: Decision;
  readonly tier: number;
  readonly rule: string;
  readonly reason: string;
}

/** A pending approval, with all facts for its answer. */
export interface ApprovalQuestion extends Omit<Body<'approval_requested'>, 'type'> {
  readonly run: string;
}

export type ApprovalDecision = Pick<Body<'approval_decided'>, 'approval' | 'decision' | 'by' | 'scope'>;

export interface ToolItem extends ItemPlace {
  readonly kind: 'tool';
  readonly call: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly state: ToolState;
  /** Id of its action, once it is one: for undo and audit. */
  readonly action?: string;
  /** SHA-256 (hex) of the canonical action. */
  readonly hash?: string;
  /** Oldest first: a command's effects may be judged again after it ran. */
  readonly verdicts: readonly ToolVerdict[];
  /** Its last approval request, answered or not. */
  readonly question?: ApprovalQuestion;
  readonly decided?: ApprovalDecision;
  /** Newest part of its output so far; empty once there is a result. */
  readonly output: string;
  /** True if more was printed than `output` holds. */
  readonly outputCut: boolean;
  readonly result?: { readonly text: string; readonly isError: boolean };
  /** A unified diff of its changes. */
  readonly diff?: string;
  /** One line about its effect. */
  readonly summary?: string;
  readonly effects?: EffectCounts;
  /** For a failed or interrupted command: whether effects may remain. */
  readonly left?: NonNullable<Body<'action_completed'>['left']>;
  readonly fate?: ActionFate;
}

/** From here on the model sees a summary of the earlier messages. */
export interface CompactionItem extends ItemPlace {
  readonly kind: 'compaction';
  readonly entry: string;
  readonly byRule: boolean;
  readonly reason?: Body<'session_before_compact'>['reason'];
  /** How many messages the conversation had. */
  readonly messages?: number;
}

/** The model failed and is asked again. */
export interface RetryItem extends ItemPlace, Omit<Body<'retry_start'>, 'type'> {
  readonly kind: 'retry';
  /** Undefined until the attempt has ended. */
  readonly success?: boolean;
}

/** The engine was stopped during the run, which continues. */
export interface ResumedItem extends ItemPlace, Omit<Body<'run_resumed'>, 'type' | 'message'> {
  readonly kind: 'resumed';
}

/** An error outside a run. A run's end reports its own errors. */
export interface ErrorItem extends ItemPlace {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** The end of a message; one that joined another's run has none of its own. */
export interface EndItem extends ItemPlace {
  readonly kind: 'end';
  /** Id of the accepted message. */
  readonly message: string;
  readonly outcome: Exclude<Outcome, 'merged'>;
  /** It never started a run: it was cancelled, or failed to start, while it waited. */
  readonly waited: boolean;
  readonly usage: EventUsage;
  readonly cost: number | null;
  readonly rounds: number;
  /** How the answer developed, a line each. */
  readonly thoughts: readonly EventThought[];
  readonly error?: { readonly code: string; readonly message: string };
}

export type TranscriptItem =
  | MessageItem
  | ToolItem
  | CompactionItem
  | RetryItem
  | ResumedItem
  | ErrorItem
  | EndItem;

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

/** What every item of a transcript says of itself. */
interface ItemPlace {
  /** Its place in the transcript, from 0: it never changes, so it is a key. */
  readonly index: number;
  /** RFC 3339. */
  readonly time: string;
  /** The run it belongs to; empty outside one. */
  readonly run: string;
}

export interface MessageItem extends ItemPlace {
  readonly kind: 'message';
  readonly role: 'user' | 'assistant';
  /** Id of its entry in the session's tree; none until it is one. */
  readonly entry?: string;
  /** Id of the accepted message this is, for the person's own. */
  readonly input?: string;
  readonly text: string;
  readonly thinking: string;
  /** True while it is being said: text and thinking are what has come so far, and the finished message takes their place. */
  readonly streaming: boolean;
  /** True if some of what has come so far was missed; only while streaming. */
  readonly missed: boolean;
  /** The finished message has neither text nor thinking (its calls follow it, or the attempt failed): nothing to show. */
  readonly blank?: true;
  readonly usage?: EventUsage;
  /** US dollars; null when the price is unknown. */
  readonly cost?: number | null;
  readonly stopReason?: StopReasonName;
}

/**
 * Where a call stands. `proposed`: nobody has judged it. `asking`: a person is asked. `running`: it is let through. `described`: a
 * dry run said what it would do. `blocked`: refused by a rule; `denied`: by a person, or because none answered.
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

/** A question to a person, with all that its answer needs. */
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
  /** Oldest first: what a command did may be judged again after it ran. */
  readonly verdicts: readonly ToolVerdict[];
  /** The last question that was asked of it, answered or not. */
  readonly question?: ApprovalQuestion;
  readonly decided?: ApprovalDecision;
  /** What it printed so far, its newest part; empty once there is a result. */
  readonly output: string;
  /** True if more was printed than `output` holds. */
  readonly outputCut: boolean;
  readonly result?: { readonly text: string; readonly isError: boolean };
  /** A unified diff of what it changed. */
  readonly diff?: string;
  /** One line on what was done. */
  readonly summary?: string;
  readonly effects?: EffectCounts;
  /** Of a command that failed or was cut off: whether anything of it may be left. */
  readonly left?: NonNullable<Body<'action_completed'>['left']>;
  readonly fate?: ActionFate;
}

/** From here on the model sees a summary of what stands above. */
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

/** The engine was stopped during the run, which goes on. */
export interface ResumedItem extends ItemPlace, Omit<Body<'run_resumed'>, 'type' | 'message'> {
  readonly kind: 'resumed';
}

/** Something went wrong outside a run. What goes wrong in one is told by its end. */
export interface ErrorItem extends ItemPlace {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** A message came to its end; one that joined another's run has none of its own. */
export interface EndItem extends ItemPlace {
  readonly kind: 'end';
  /** Id of the accepted message. */
  readonly message: string;
  readonly outcome: Exclude<Outcome, 'merged'>;
  /** It never began a run: it was taken back, or could not be begun, while it waited. */
  readonly waited: boolean;
  readonly usage: EventUsage;
  readonly cost: number | null;
  readonly rounds: number;
  /** How the answer came to be, a line each. */
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

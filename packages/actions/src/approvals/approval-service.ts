import { type Suspension, suspensionOf } from '@bulkhead/log/suspension/suspension';
import type {
  ApprovalMode,
  ApprovalScope,
  Clock,
  IdSource,
  MachineClock,
  Origin,
  Timers,
} from '@bulkhead/protocol';
import type { GrantStage } from '../grants/grant-service.ts';
import type { AnsweredRule } from './answered-rule.ts';
import type { AnswerTarget, ApprovalOutcome, Approver } from './approver.ts';
import { DecidedQuestions } from './decided-questions.ts';
import { QuestionRate } from './question-rate.ts';
import { SessionGrants } from './session-grants.ts';

/** Questions that may be pending in one session; more are denied without being shown [FT44]. */
const MAX_OPEN = 16;

/** An action that a person decides about. */
export interface ApprovalQuestion {
  readonly sessionId: string;
  readonly action: string;
  /** SHA-256 of the canonical action. */
  readonly hash: string;
  readonly tool: string;
  /** The text of the dialog: see `shownAction`. */
  readonly shown: string;
  /** The whole action: hidden characters made visible, nothing cut. */
  full(): string;
  readonly reason: string;
  /**
   * True if the same action may run twice: one answer then applies to all equal pending questions.
   */
  readonly repeatable: boolean;
  /** How far an approval may reach. */
  readonly scopes: readonly ApprovalScope[];
  /** Key of an approval for the session; set if `scopes` has `session`. */
  readonly grant?: string;
  /** The rule that a permanent approval writes; set if `scopes` has `always`. */
  readonly rule?: AnsweredRule;
  /** The effect of a permanent approval, in words, if the caller keeps it itself instead of a rule. */
  readonly keeps?: string;
  /** Where the message came from whose run asks; undefined where it is unknown. */
  readonly origin?: Origin | undefined;
}

export interface ApprovalRequest {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /**
   * Settles once. Rejects only with a Suspension: the engine stops and withdraws the unanswered
   * question.
   */
  readonly outcome: Promise<ApprovalOutcome>;
}

/** A pending question. */
export interface OpenQuestion extends ApprovalQuestion {
  readonly id: string;
  /** Milliseconds until it expires; more than 0. */
  readonly leftMs: number;
}

export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny';
  readonly scope: ApprovalScope;
  readonly approver: Approver;
}

interface Waiting extends ApprovalQuestion {
  readonly id: string;
  /** Monotonic, milliseconds. */
  readonly deadline: number;
  /** The same moment by the system clock that also runs during sleep. */
  readonly wakeDeadline: number;
  /** Set by the first approval; later ones have no effect. */
  allowed: boolean;
  readonly outcome: Promise<ApprovalOutcome>;
  settle(outcome: ApprovalOutcome): void;
}

export interface ApprovalServiceParts {
  readonly clock: Clock;
  readonly machine: Pick<MachineClock, 'sinceBoot'>;
  readonly timers: Timers;
  readonly ids: IdSource;
  readonly timeoutMs: number;
  /** Permissions of people for later commands; absent, there are none and none can be given. */
  readonly grants?: GrantStage | undefined;
  /** Whether this approver may answer for a session [FT41]. */
  mayAnswer(approver: Approver, sessionId: string): boolean;
  /** Stores a permanent rule. Throws if it cannot be stored: the approval then applies once. */
  remember(rule: AnsweredRule): void;
}

/**
 * Pending questions to people. An answer is accepted once, only for the session and action hash of
 * the question, only from an approver with the right, and only before the question expires;
 * everything else is a denial [A6].
 *
 * An approval takes effect in a later turn of the event loop: a denial that arrives in the same
 * turn wins [FT40]. The wall clock neither ends nor extends a question. Time asleep counts: after
 * waking, an expired question is denied at the next request for it [FT45].
 */
export class ApprovalService {
  readonly #parts: ApprovalServiceParts;
  readonly #rate: QuestionRate;
  readonly #grants = new SessionGrants();
  readonly #open = new Map<string, Waiting>();
  readonly #decided = new DecidedQuestions();

  constructor(parts: ApprovalServiceParts) {
    this.#parts = parts;
    this.#rate = new QuestionRate(parts.clock);
  }

  get grants(): GrantStage | undefined {
    return this.#parts.grants;
  }

  /** The pending questions, oldest first. */
  get open(): readonly OpenQuestion[] {
    this.#endLate();
    return [...this.#open.values()].map((waiting) => ({ ...waiting, leftMs: this.#left(waiting) }));
  }

  /** Asks a person, or answers immediately if no question is needed or no one may be asked. */
  request(question: ApprovalQuestion, mode: ApprovalMode, signal: AbortSignal): ApprovalRequest {
    const id = this.#parts.ids();
    const expires = this.#parts.clock.now() + this.#parts.timeoutMs;
    const known = this.#withoutAsking(question, mode);
    if (known !== undefined) return { id, expires, outcome: Promise.resolve(known) };
    return { id, expires, outcome: this.#ask({ ...question, id }, signal) };
  }

  /**
   * @returns false if no question is open under that id, session and hash, or the answer does not
   * fit it. A denial may still override an accepted approval: `outcomeOf` returns the result
   */
  decide(target: AnswerTarget, { decision, scope, approver }: ApprovalAnswer): boolean {
    this.#endLate();
    const waiting = this.#open.get(target.approval);
    if (waiting === undefined) return false;
    if (waiting.sessionId !== target.session || waiting.hash !== target.hash) return false;
    if (!this.#parts.mayAnswer(approver, waiting.sessionId)) return false;
    if (decision === 'deny') {
      this.#settle(waiting, { decision, by: 'person', approver });
      return true;
    }
    if (waiting.allowed || !waiting.scopes.includes(scope)) return false;
    waiting.allowed = true;
    this.#parts.timers.after(0, () => this.#allow(waiting, scope, approver));
    return true;
  }

  /**
   * The outcome of an answered question; waits while an approval is about to take effect.
   * @throws Suspension if the engine stops before an approval has taken effect
   * @returns undefined if the question is unanswered, or not (or no longer) known under that id,
   * session and hash
   */
  async outcomeOf(target: AnswerTarget): Promise<ApprovalOutcome | undefined> {
    this.#endLate();
    const waiting = this.#open.get(target.approval);
    if (waiting === undefined) return this.#decided.find(target);
    const isMeant = waiting.sessionId === target.session && waiting.hash === target.hash;
    return isMeant && waiting.allowed ? await waiting.outcome : undefined;
  }

  #withoutAsking(question: ApprovalQuestion, mode: ApprovalMode): ApprovalOutcome | undefined {
    const { sessionId, grant } = question;
    if (mode === 'allow') return { decision: 'allow', by: 'run_option' };
    if (grant !== undefined && this.#grants.has(sessionId, grant)) return { decision: 'allow', by: 'grant' };
    if (mode === 'deny') return { decision: 'deny', by: 'nobody' };
    const waiting = [...this.#open.values()].filter((other) => other.sessionId === sessionId);
    if (waiting.some((other) => isSame(other, question))) return undefined;
    const mayAsk = waiting.length < MAX_OPEN && this.#rate.mayAsk(sessionId);
    return mayAsk ? undefined : { decision: 'deny', by: 'limit' };
  }

  #allow(waiting: Waiting, scope: ApprovalScope, approver: Approver): void {
    if (!this.#open.has(waiting.id)) return;
    if (scope === 'session' && waiting.grant !== undefined)
      this.#grants.add(waiting.sessionId, waiting.grant);
    const isLost = scope === 'always' && waiting.keeps === undefined && !this.#remembered(waiting);
    const kept = isLost ? 'once' : scope;
    this.#settle(waiting, { decision: 'allow', by: 'person', scope: kept, approver });
  }

  #remembered({ rule }: Waiting): boolean {
    if (rule === undefined) return false;
    try {
      this.#parts.remember(rule);
      return true;
    } catch {
      return false;
    }
  }

  /** Settles all pending questions with the same answer: a person is asked once. */
  #settle(waiting: Waiting, outcome: ApprovalOutcome): void {
    for (const other of [...this.#open.values()]) {
      const together = isSame(other, waiting) && (other.repeatable || outcome.decision === 'deny');
      if (other === waiting || together) other.settle(outcome);
    }
  }

  #left({ deadline, wakeDeadline }: Waiting): number {
    const { clock, machine } = this.#parts;
    return Math.min(deadline - clock.monotonic(), wakeDeadline - machine.sinceBoot());
  }

  /** Timers do not run while the machine sleeps. */
  #endLate(): void {
    for (const waiting of [...this.#open.values()]) {
      if (this.#left(waiting) <= 0) waiting.settle({ decision: 'deny', by: 'timeout' });
    }
  }

  #ask(question: ApprovalQuestion & Pick<Waiting, 'id'>, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { timers, clock, machine, timeoutMs } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalOutcome>();
    // The asking code may have ended by then.
    promise.catch(() => {});
    const cancel = (): void => {
      const suspension = suspensionOf(signal);
      if (suspension === undefined) settle({ decision: 'deny', by: 'cancel' });
      else withdraw(suspension);
    };
    const timer = timers.after(timeoutMs, () => settle({ decision: 'deny', by: 'timeout' }));
    const close = (): boolean => {
      if (!this.#open.delete(question.id)) return false;
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', cancel);
      return true;
    };
    const withdraw = (suspension: Suspension): void => {
      if (close()) reject(suspension);
    };
    const settle = (outcome: ApprovalOutcome): void => {
      if (!close()) return;
      const { id: approval, sessionId: session, hash } = question;
      this.#decided.keep({ approval, session, hash }, outcome);
      resolve(outcome);
    };
    const deadline = clock.monotonic() + timeoutMs;
    const wakeDeadline = machine.sinceBoot() + timeoutMs;
    this.#open.set(question.id, {
      ...question,
      deadline,
      wakeDeadline,
      allowed: false,
      outcome: promise,
      settle,
    });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    return promise;
  }
}

function isSame(one: ApprovalQuestion, other: ApprovalQuestion): boolean {
  return one.sessionId === other.sessionId && one.hash === other.hash && one.shown === other.shown;
}

import { type Suspension, suspensionOf } from '@bulkhead/log/suspension/suspension';
import type { ApprovalMode, ApprovalScope, Clock, IdSource, MachineClock, Timers } from '@bulkhead/protocol';
import type { AnsweredRule } from './answered-rule.ts';
import type { AnswerTarget, ApprovalOutcome, Approver } from './approver.ts';
import { DecidedQuestions } from './decided-questions.ts';
import { QuestionRate } from './question-rate.ts';
import { SessionGrants } from './session-grants.ts';

/** Questions of one session that may wait at the same time; more are denied unseen [FT44]. */
const MAX_OPEN = 16;

/** What a person decides about. */
export interface ApprovalQuestion {
  readonly sessionId: string;
  readonly action: string;
  /** SHA-256 of the canonical action. */
  readonly hash: string;
  readonly tool: string;
  /** As the dialog has it: see `shownAction`. */
  readonly shown: string;
  /** All of the action, hidden characters made visible, nothing cut. */
  full(): string;
  readonly reason: string;
  /** True if the same action may run twice: one answer then counts for all that wait. */
  readonly repeatable: boolean;
  /** How far a yes may reach. */
  readonly scopes: readonly ApprovalScope[];
  /** By what a yes for the session is remembered; there if `scopes` has `session`. */
  readonly grant?: string;
  /** The rule a yes for good writes; there if `scopes` has `always`. */
  readonly rule?: AnsweredRule;
}

export interface ApprovalRequest {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** Settles once. Rejects only with a Suspension: the question was withdrawn unanswered because the engine stops. */
  readonly outcome: Promise<ApprovalOutcome>;
}

/** A question that waits. */
export interface OpenQuestion extends ApprovalQuestion {
  readonly id: string;
  /** Milliseconds until it is denied; more than 0. */
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
  /** The same moment by the clock of the machine, which goes on while it sleeps. */
  readonly wakeDeadline: number;
  /** Set by the first yes. It is spent then: no second one counts. */
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
  /** Whether somebody may answer for a session [FT41]. */
  mayAnswer(approver: Approver, sessionId: string): boolean;
  /** Makes a rule that stays. Throws if it can't be kept: the yes is for once then. */
  remember(rule: AnsweredRule): void;
}

/**
 * Open questions to a person. An answer counts once, only for the session and the action hash it was asked about, only by
 * somebody who may give it, and only before it expires; whatever else happens is a denial [A6].
 *
 * A yes takes effect in a later turn of the event loop: a no that reaches the service in the same turn wins [FT40]. No wall clock
 * ends a question or keeps it open. Time asleep counts: after it, a question whose time is up is denied as soon as anybody asks
 * for it [FT45].
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

  /** What waits for an answer now, oldest first. */
  get open(): readonly OpenQuestion[] {
    this.#endLate();
    return [...this.#open.values()].map((waiting) => ({ ...waiting, leftMs: this.#left(waiting) }));
  }

  /** Asks, or answers at once where nobody has to be asked, or nobody is. */
  request(question: ApprovalQuestion, mode: ApprovalMode, signal: AbortSignal): ApprovalRequest {
    const id = this.#parts.ids();
    const expires = this.#parts.clock.now() + this.#parts.timeoutMs;
    const known = this.#withoutAsking(question, mode);
    if (known !== undefined) return { id, expires, outcome: Promise.resolve(known) };
    return { id, expires, outcome: this.#ask({ ...question, id }, signal) };
  }

  /**
   * @returns false if nothing is open under that id, session and hash, or this is no answer to it. A yes that was taken may still lose to a no:
   *   `outcomeOf` tells
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
   * How a question that was answered ended: waits while a yes is about to take effect.
   * @throws Suspension if the engine stops before a yes has taken effect
   * @returns undefined if nobody has answered it, or it is not known (any more) under that id, session and hash
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
    const kept = scope === 'always' && !this.#remembered(waiting) ? 'once' : scope;
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

  /** With all that wait for the same answer: a person is asked once. */
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

  /** Timers stand still while the machine sleeps. */
  #endLate(): void {
    for (const waiting of [...this.#open.values()]) {
      if (this.#left(waiting) <= 0) waiting.settle({ decision: 'deny', by: 'timeout' });
    }
  }

  #ask(question: ApprovalQuestion & Pick<Waiting, 'id'>, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { timers, clock, machine, timeoutMs } = this.#parts;
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalOutcome>();
    // Whoever asked may be gone by then.
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

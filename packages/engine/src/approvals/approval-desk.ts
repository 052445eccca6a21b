import type { Clock, IdSource, Timers } from '@bulkhead/protocol';

/** How a run treats what needs a person. */
export type ApprovalMode = 'deny' | 'ask' | 'allow';

export interface ApprovalOutcome {
  readonly decision: 'allow' | 'deny';
  readonly by: 'person' | 'run_option' | 'timeout' | 'nobody' | 'cancel';
}

export interface ApprovalRequest {
  readonly id: string;
  readonly expires: number;
  /** Settles once. Never rejects. */
  readonly outcome: Promise<ApprovalOutcome>;
}

interface OpenApproval {
  readonly sessionId: string;
  readonly hash: string;
  settle(outcome: ApprovalOutcome): void;
}

/**
 * Open questions to a person. An answer counts once, only for the session and the action hash it was
 * asked about, and only before it expires; whatever else happens is a denial [A6].
 */
export class ApprovalDesk {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #ids: IdSource;
  readonly #timeoutMs: number;
  readonly #open = new Map<string, OpenApproval>();

  constructor(parts: {
    readonly clock: Clock;
    readonly timers: Timers;
    readonly ids: IdSource;
    readonly timeoutMs: number;
  }) {
    this.#timers = parts.timers;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#timeoutMs = parts.timeoutMs;
  }

  /** Asks, or answers at once where the run said nobody is asked. */
  request(
    about: { readonly sessionId: string; readonly hash: string },
    mode: ApprovalMode,
    signal: AbortSignal,
  ): ApprovalRequest {
    const id = this.#ids();
    const expires = this.#clock.now() + this.#timeoutMs;
    if (mode !== 'ask') {
      const outcome: ApprovalOutcome =
        mode === 'allow' ? { decision: 'allow', by: 'run_option' } : { decision: 'deny', by: 'nobody' };
      return { id, expires, outcome: Promise.resolve(outcome) };
    }
    return { id, expires, outcome: this.#ask(id, about, signal) };
  }

  /** @returns false if nothing is open under that id, session and hash */
  decide(approvalId: string, sessionId: string, hash: string, decision: 'allow' | 'deny'): boolean {
    const open = this.#open.get(approvalId);
    if (open === undefined || open.sessionId !== sessionId || open.hash !== hash) return false;
    open.settle({ decision, by: 'person' });
    return true;
  }

  #ask(
    id: string,
    about: { readonly sessionId: string; readonly hash: string },
    signal: AbortSignal,
  ): Promise<ApprovalOutcome> {
    const { promise, resolve } = Promise.withResolvers<ApprovalOutcome>();
    const cancel = (): void => settle({ decision: 'deny', by: 'cancel' });
    const timer = this.#timers.after(this.#timeoutMs, () => settle({ decision: 'deny', by: 'timeout' }));
    const settle = (outcome: ApprovalOutcome): void => {
      if (!this.#open.delete(id)) return;
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    this.#open.set(id, { ...about, settle });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    return promise;
  }
}

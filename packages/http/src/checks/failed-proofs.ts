import type { Clock } from '@bulkhead/protocol';

/**
 * Kinds of secrets that can be guessed. Each has its own count, so that a tab with an old cookie
 * does not slow tokens down.
 */
export type ProofKind = 'token' | 'login' | 'code';

/** Wrong secrets of one kind that are answered without delay, in any minute. */
const AT_ONCE = 10;
const WINDOW_MS = 60_000;
/** Delay of the answer to each further wrong one, in milliseconds. */
const SLOWED_MS = 250;

/**
 * Slows guessing down. All wrong secrets count, from all sockets: every caller is on this machine,
 * and a loopback address costs nothing. A valid secret is never counted, slowed or refused, or
 * guessing could keep the owner out. A delay is enough: each secret has 256 random bits, so no rate
 * of guessing on one machine can succeed, and a limit of tries would add no protection.
 */
export class FailedProofs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Times of the last wrong secrets that were answered without delay, by kind. */
  readonly #failures = new Map<ProofKind, readonly number[]>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Counts a wrong secret. @returns how long its answer has to wait, in milliseconds; 0 for the
   * first few in a minute
   */
  count(kind: ProofKind): number {
    const now = this.#clock.monotonic();
    const recent = (this.#failures.get(kind) ?? []).filter((time) => now - time < WINDOW_MS);
    const isSlowed = recent.length >= AT_ONCE;
    this.#failures.set(kind, isSlowed ? recent : [...recent, now]);
    return isSlowed ? SLOWED_MS : 0;
  }
}

import type { Clock } from '@bulkhead/protocol';

/** What can be guessed at. Each has a count of its own: a tab with an old cookie slows no token down. */
export type ProofKind = 'token' | 'login' | 'code';

/** Wrong ones of a kind that are answered at once, in any minute. */
const AT_ONCE = 10;
const WINDOW_MS = 60_000;
/** How long the answer to any more of them waits, in milliseconds. */
const SLOWED_MS = 250;

/**
 * Slows whoever guesses. Wrong secrets count, whoever sends them over how many sockets: everybody here is on this machine, and an address of
 * loopback is had for nothing. What is right is never counted, slowed or refused, or guessing would be a way to keep the owner out. It
 * needs no more than that: each secret has 256 random bits, so that guessing at any rate a machine has gets nowhere in the age of
 * the universe; a bound of tries would guard what needs no guard.
 */
export class FailedProofs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the last wrong ones that were answered at once came, by their kind. */
  readonly #failures = new Map<ProofKind, readonly number[]>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts a wrong one. @returns how long its answer has to wait, in milliseconds; 0 for the first in a while */
  count(kind: ProofKind): number {
    const now = this.#clock.monotonic();
    const recent = (this.#failures.get(kind) ?? []).filter((time) => now - time < WINDOW_MS);
    const isSlowed = recent.length >= AT_ONCE;
    this.#failures.set(kind, isSlowed ? recent : [...recent, now]);
    return isSlowed ? SLOWED_MS : 0;
  }
}

import type { Clock } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';

/** Wrong secrets that are looked at in a window, whoever sends them over how many sockets. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * How often a secret may be guessed. All sockets and addresses share one count: everybody here is on this machine, and an address of loopback is
 * had for nothing. Once it is spent, no secret is looked at, right or wrong: the answer would tell which it was.
 */
export class FailedProofs {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #failures: number[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** @throws BulkheadError `rate_limit` (429) while no secret is looked at */
  check(): void {
    const now = this.#clock.monotonic();
    this.#failures = this.#failures.filter((time) => now - time < WINDOW_MS);
    const [first] = this.#failures;
    if (first === undefined || this.#failures.length < MAX_FAILURES) return;
    const seconds = Math.ceil((first + WINDOW_MS - now) / 1_000);
    throw refusal(429, 'rate_limit', 'too many wrong tokens were tried: none is looked at for a while', {
      fix: `Try again in ${seconds} s.`,
      retryAfterSeconds: seconds,
    });
  }

  count(): void {
    this.#failures.push(this.#clock.monotonic());
  }

  /** Takes one count back. */
  forgive(): void {
    this.#failures.pop();
  }
}

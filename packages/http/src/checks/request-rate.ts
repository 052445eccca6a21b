import type { Clock } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';

/** A token bucket of requests: a burst, and a rate per second. */
export class RequestRate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at: number;

  constructor(clock: Pick<Clock, 'monotonic'>, burst: number, perSecond: number) {
    this.#clock = clock;
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
    this.#at = clock.monotonic();
  }

  /** @throws BulkheadError `rate_limit` (429) */
  take(): void {
    const now = this.#clock.monotonic();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) {
      throw refusal(429, 'rate_limit', 'too many requests at once', {
        fix: 'Wait a second.',
        retryAfterSeconds: 1,
      });
    }
    this.#left -= 1;
  }
}

import type { Clock } from '@bulkhead/protocol';

const FIRST = 1_000;
const LONGEST = 600_000;

/** Delay after failures: doubles each time, up to ten minutes. */
export class BackOff {
  readonly #clock: Clock;
  #failures = 0;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds to wait; 0 if a try is allowed. */
  get wait(): number {
    return Math.max(0, this.#until - this.#clock.monotonic());
  }

  fail(): void {
    this.#until = this.#clock.monotonic() + Math.min(LONGEST, FIRST * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
  }

  succeed(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}

import { BulkheadError, type Timers } from '@bulkhead/protocol';

interface Waiting {
  begin(): void;
}

/**
 * A number of places with a line before them: first come, first served. A waiter can leave the
 * line, and its wait is limited [FG10].
 */
export class FairPlaces {
  readonly #places: number;
  readonly #timers: Timers;
  readonly #waitMs: number;
  readonly #full: (seconds: number) => BulkheadError;
  readonly #line = new Set<Waiting>();
  #taken = 0;

  /**
   * @param parts.waitMs the longest wait in line, in milliseconds
   * @param parts.full returns the error after a wait of that many seconds
   */
  constructor(parts: {
    readonly places: number;
    readonly timers: Timers;
    readonly waitMs: number;
    full(seconds: number): BulkheadError;
  }) {
    this.#places = parts.places;
    this.#timers = parts.timers;
    this.#waitMs = parts.waitMs;
    this.#full = (seconds) => parts.full(seconds);
  }

  /** How many wait in line. */
  get waiting(): number {
    return this.#line.size;
  }

  /** True if a new caller would have to wait. */
  get isFull(): boolean {
    return this.#taken >= this.#places;
  }

  /**
   * Waits for a place.
   *
   * @returns dispose, once, to free the place
   * @throws BulkheadError `cancelled` if `signal` aborts first; the error of `full` after the
   *   longest wait
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    if (signal.aborted) throw cancelled();
    if (!this.isFull) {
      this.#taken += 1;
      return this.#place();
    }
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiting: Waiting = { begin: () => resolve(this.#place()) };
    const leave = (error: BulkheadError): void => {
      // A waiter that got a place has left the line.
      if (this.#line.delete(waiting)) reject(error);
    };
    const cancel = (): void => leave(cancelled());
    this.#line.add(waiting);
    signal.addEventListener('abort', cancel, { once: true });
    using _limit = this.#timers.after(this.#waitMs, () => leave(this.#full(this.#waitMs / 1_000)));
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #place(): Disposable {
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#next();
        isHeld = false;
      },
    };
  }

  /** A returned place goes to the first in line: no later caller can take it. */
  #next(): void {
    const [first] = this.#line;
    if (first === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#line.delete(first);
    first.begin();
  }
}

function cancelled(): BulkheadError {
  return new BulkheadError('cancelled', 'it was cancelled while it waited in line');
}

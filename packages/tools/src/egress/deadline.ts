import { BulkheadError, type Timers } from '@bulkhead/protocol';

/**
 * A signal that fires when the caller's does, or after the time limit. Dispose of it when the work
 * is done.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #timer: Disposable;

  /** @param what named in the error on timeout, as in `example.org did not answer` */
  constructor(timers: Timers, ms: number, signal: AbortSignal, what: string) {
    const own = new AbortController();
    const late = new BulkheadError('timeout', `${what} within ${ms / 1_000} s`, { retryable: true });
    this.#timer = timers.after(ms, () => own.abort(late));
    this.signal = AbortSignal.any([signal, own.signal]);
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }
}

/** Rejects with the signal's reason as soon as it fires; `work` itself may go on. */
export async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // Handles the rejection also if no one awaits it any more, so it does not end the process.
  work.catch(() => {});
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

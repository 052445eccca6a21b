import { BulkheadError } from '@bulkhead/protocol';

/** Requests that one caller may have under way. */
const MOST = 16;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits the requests that one caller has under way: further ones are refused until an answer is
 * done.
 */
export class AtOnce {
  readonly #counts = new Map<string, number>();

  /** @throws BulkheadError `rate_limit` (429) */
  enter(caller: string): Disposable {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= MOST) {
      throw new BulkheadError('rate_limit', `${MOST} requests of this token are under way already`, {
        fix: 'Wait for one of them.',
        details: { status: 429, apiCode: 'rate_limit_exceeded', retryAfterSeconds: RETRY_AFTER_SECONDS },
      });
    }
    this.#counts.set(caller, count + 1);
    return { [Symbol.dispose]: () => this.#leave(caller) };
  }

  #leave(caller: string): void {
    const left = (this.#counts.get(caller) ?? 0) - 1;
    if (left > 0) this.#counts.set(caller, left);
    else this.#counts.delete(caller);
  }
}

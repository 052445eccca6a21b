import type { Clock } from '@bulkhead/protocol';
import type { Access, Proof } from './proof.ts';
import { RequestRate } from './request-rate.ts';

/**
 * Limits the request rates of authenticated callers: one rate for the owner on all ways in, one for
 * each program. None uses up the rate of another.
 */
export class HolderRates implements Disposable {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #owner: RequestRate;
  readonly #programs = new Map<string, RequestRate>();
  readonly #subscription: Disposable;

  constructor(access: Pick<Access, 'onEnd'>, clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#owner = new RequestRate(clock, 2_000, 500);
    this.#subscription = access.onEnd((id) => void this.#programs.delete(id));
  }

  /** @throws BulkheadError `rate_limit` (429) */
  take({ id, kind }: Proof): void {
    const rate = kind === 'program' ? this.#ofProgram(id) : this.#owner;
    rate.take();
  }

  #ofProgram(id: string): RequestRate {
    const rate = this.#programs.get(id) ?? new RequestRate(this.#clock, 400, 100);
    this.#programs.set(id, rate);
    return rate;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }
}

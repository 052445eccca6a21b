import { monotonicMs } from './monotonic-ms.ts';

/** One call: when it was due, and how long it took, milliseconds. */
export interface PolledCall {
  readonly at: number;
  readonly ms: number;
}

/**
 * Calls something at a fixed pace, whether or not the calls before have been answered: something that hangs for a second
 * counts for every call of that second.
 */
export class Poll {
  readonly #call: () => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  readonly #calls: Promise<PolledCall>[] = [];

  constructor(call: () => Promise<unknown>, everyMs: number) {
    this.#call = call;
    this.#timer = setInterval(() => {
      const one = this.#measure();
      // `end` reports the failure.
      one.catch(() => {});
      this.#calls.push(one);
    }, everyMs);
  }

  /** Calls no more. @returns all calls, in order @throws what a call threw */
  async end(): Promise<readonly PolledCall[]> {
    clearInterval(this.#timer);
    return await Promise.all(this.#calls);
  }

  async #measure(): Promise<PolledCall> {
    const at = monotonicMs();
    await this.#call();
    return { at, ms: monotonicMs() - at };
  }
}

/** @returns how long an action takes, milliseconds */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = monotonicMs();
  await action();
  return monotonicMs() - begin;
}

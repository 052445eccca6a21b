import type { ModelDelta } from '@bulkhead/protocol/agent';

type Next = IteratorResult<ModelDelta, undefined>;

/** The deltas of one model request, for one reader: what comes before it asks waits. */
export class DeltaQueue implements AsyncIterableIterator<ModelDelta, undefined> {
  #waiting: ModelDelta[] = [];
  #reader: ((next: Next) => void) | undefined;

  push(delta: ModelDelta): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#waiting.push(delta);
    else reader({ done: false, value: delta });
  }

  next(): Promise<Next> {
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

import { addUsage, NO_USAGE } from '@bulkhead/log/session/message-view';
import type { EventUsage } from '@bulkhead/protocol';
import type { ModelCallBody } from '@bulkhead/protocol/records';

/** What the model calls of a run have used so far, failed ones included. */
export class RunTotals {
  #usage: EventUsage = NO_USAGE;
  #cost: number | null = 0;

  get usage(): EventUsage {
    return this.#usage;
  }

  /** US dollars; null as soon as the price of one call isn't known. */
  get cost(): number | null {
    return this.#cost;
  }

  add(call: ModelCallBody): void {
    this.#usage = addUsage(this.#usage, call);
    this.#cost = this.#cost === null || call.cost === null ? null : this.#cost + call.cost;
  }
}

import { addUsage, NO_USAGE } from '@bulkhead/log/session/message-view';
import type { EventUsage } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';

/** A place in a run to go back to. */
interface RunPlace {
  /** The entry that the next one hangs below. */
  readonly parent: string | null;
  /** How many messages of the run lead there. */
  readonly messages: number;
}

/** How far a run has come: the engine's own copy of what its records say. */
export interface RunProgress {
  /** The leaf before the run. */
  readonly start: string | null;
  parent: string | null;
  /** The entry of the message the run is for; undefined before it has begun. */
  firstEntry: string | undefined;
  /** Where a failed attempt goes back to: after it, nothing has happened that must be kept [E4]. */
  kept: RunPlace;
  readonly messages: Message[];
  /** Model rounds begun. */
  rounds: number;
  /** Model calls that gave an answer. */
  answers: number;
  readonly totals: RunTotals;
  turnOpen: boolean;
  answering: boolean;
  /** Number of the attempt that a `retry_start` announced and no `retry_end` has closed. */
  retrying: number | undefined;
}

/** A run that has not begun. */
export function noProgress(leaf: string | null): RunProgress {
  return {
    start: leaf,
    parent: leaf,
    firstEntry: undefined,
    kept: { parent: leaf, messages: 0 },
    messages: [],
    rounds: 0,
    answers: 0,
    totals: new RunTotals(),
    turnOpen: false,
    answering: false,
    retrying: undefined,
  };
}

/** The usage of a run's model calls so far, failed ones included. */
class RunTotals {
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

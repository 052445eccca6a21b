import type { Clock } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import type { BudgetPlace, EvaluatorBudget } from '@bulkhead/shield';

/** What the calls of the evaluator are recorded as. */
export const EVALUATOR_PURPOSE = 'shield';

const MINUTE_MS = 60_000;

/**
 * How many actions a model may judge. What was used is read from the records of the calls, of all sessions and engines, so
 * that a restart gives nothing back [H3].
 */
export class StoredBudget implements EvaluatorBudget {
  readonly #store: Pick<SessionStore, 'modelCalls'>;
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #perDay: number;
  /** Under way: not in the records yet. */
  #open = 0;

  constructor(parts: {
    readonly store: Pick<SessionStore, 'modelCalls'>;
    readonly clock: Clock;
    readonly perMinute: number;
    readonly perDay: number;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#perMinute = parts.perMinute;
    this.#perDay = parts.perDay;
  }

  take(): BudgetPlace {
    const now = this.#clock.now();
    const day = Date.parse(new Date(now).toISOString().slice(0, 10));
    if (this.#used(day, now) >= this.#perDay) {
      return refused(`it has judged ${this.#perDay} actions today (UTC), all it may`);
    }
    if (this.#used(now - MINUTE_MS, now) >= this.#perMinute) {
      return refused(`it has judged ${this.#perMinute} actions within a minute, all it may`);
    }
    this.#open += 1;
    return {
      granted: true,
      done: () => {
        this.#open -= 1;
      },
    };
  }

  #used(from: number, now: number): number {
    const rows = this.#store.modelCalls({ from, to: now + 1 });
    const ours = rows.filter(({ purpose }) => purpose === EVALUATOR_PURPOSE);
    return ours.reduce((sum, { calls }) => sum + calls, this.#open);
  }
}

function refused(why: string): BudgetPlace {
  return { granted: false, reason: `the evaluator is not asked: ${why}` };
}

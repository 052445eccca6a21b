import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { type DayTotals, dayOf } from '@bulkhead/log/ledger/day-totals';
import type { Clock, MachineClock } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import type { BudgetPlace, EvaluatorBudget } from '@bulkhead/shield';

/** The purpose recorded for calls of the evaluator. */
export const EVALUATOR_PURPOSE = 'shield';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface StoredBudgetParts {
  readonly store: Pick<SessionStore, 'modelCalls'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly machine: Pick<MachineClock, 'sinceBoot'>;
  readonly time: Pick<ConfirmedTime, 'believed'>;
  readonly days: DayTotals;
  readonly perMinute: number;
  readonly perDay: number;
}

/**
 * How many actions a model may judge. Usage is read from the call records of all sessions and
 * engines, so a restart restores no budget [H3]; it is also counted here, so a clock jump restores
 * none either [FT83].
 */
export class StoredBudget implements EvaluatorBudget {
  readonly #parts: StoredBudgetParts;
  /** Running calls: not recorded yet. */
  #open = 0;
  /** Start times of the last minute, as time since boot. */
  #given: readonly number[] = [];

  constructor(parts: StoredBudgetParts) {
    this.#parts = parts;
  }

  take(): BudgetPlace {
    const { clock, machine, time, days, perMinute, perDay } = this.#parts;
    const day = dayOf(time.believed());
    const from = Date.parse(day);
    const today = Math.max(this.#recorded(from, from + DAY_MS), days.of(day, EVALUATOR_PURPOSE).calls);
    if (today >= perDay) return refused(`it has judged ${perDay} actions today (UTC), all it may`);
    const now = clock.now();
    const since = machine.sinceBoot() - MINUTE_MS;
    this.#given = this.#given.filter((at) => at > since);
    if (Math.max(this.#recorded(now - MINUTE_MS, now + 1), this.#given.length) >= perMinute)
      return refused(`it has judged ${perMinute} actions within a minute, all it may`);
    days.add(day, EVALUATOR_PURPOSE, { calls: 1, cost: 0 });
    this.#given = [...this.#given, machine.sinceBoot()];
    this.#open += 1;
    return {
      granted: true,
      done: () => {
        this.#open -= 1;
      },
    };
  }

  #recorded(from: number, to: number): number {
    const rows = this.#parts.store.modelCalls({ from, to });
    const ours = rows.filter(({ purpose }) => purpose === EVALUATOR_PURPOSE);
    return ours.reduce((sum, { calls }) => sum + calls, this.#open);
  }
}

function refused(why: string): BudgetPlace {
  return { granted: false, reason: `the evaluator is not asked: ${why}` };
}

import type { Tables } from '@bulkhead/sessions';

/** The usage of one day, for one purpose. */
interface DayTotal {
  readonly calls: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * The counts of daily limits, by the day that was believed then (`ConfirmedTime.believed`). The
 * records of the calls carry wall time: a clock that jumped would move them out of the day they
 * count for [FT83].
 */
export interface DayTotals {
  /** @param day as `2026-11-23`. @throws BulkheadError `store_failed`: nothing may be used then */
  add(day: string, purpose: string, used: DayTotal): void;
  of(day: string, purpose: string): DayTotal;
}

/**
 * A loss of power may take the last of them: the records of the calls are counted as well, and the larger sum holds.
 */
export function createDayTotals({ prepare, write }: Tables): DayTotals {
  const upsert = prepare(
    `INSERT INTO usage_totals (day, purpose, calls, cost) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, cost = cost + excluded.cost`,
  );
  const select = prepare('SELECT calls, cost FROM usage_totals WHERE day = ? AND purpose = ?');
  return {
    add: (day, purpose, { calls, cost }) => void write(false, () => upsert.run(day, purpose, calls, cost)),
    of: (day, purpose) => {
      const { calls, cost } = select.get(day, purpose) ?? {};
      return { calls: Number(calls ?? 0), cost: Number(cost ?? 0) };
    },
  };
}

/** The day (UTC) of a time in milliseconds since the epoch. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

import { openOwnDatabase, writeOwn } from '@bulkhead/home/folder/open-own-database';
import { BulkheadError } from '@bulkhead/protocol';

const TABLES = `CREATE TABLE IF NOT EXISTS totals (
    day TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL, cost REAL NOT NULL, PRIMARY KEY (day, purpose)
  ) STRICT, WITHOUT ROWID`;

/** What was used on one day, for one purpose. */
interface DayTotal {
  readonly calls: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * What daily limits have counted, by the day that was believed then (`ConfirmedTime.believed`). The records of the calls carry
 * wall time: a clock that jumped would take them out of the day they count for [FT83].
 */
export interface DayTotals extends Disposable {
  /** @param day as `2026-11-23`. @throws BulkheadError `store_failed`: nothing may be used then */
  add(day: string, purpose: string, used: DayTotal): void;
  of(day: string, purpose: string): DayTotal;
}

/**
 * Opens the totals at `path`, making the file if there is none.
 *
 * @param path `:memory:` for totals that end with the process
 * @throws BulkheadError `store_corrupt`
 */
export function openDayTotals(path: string): DayTotals {
  const database = openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    // A power cut may take the last: the records of the calls are counted as well, and the larger sum holds.
    synchronous: 'NORMAL',
    damaged: (reason, cause) =>
      new BulkheadError('store_corrupt', `what was used today, ${path}, can't be read: ${reason}`, {
        cause,
        fix: 'Move the file away: daily limits go by the records of the calls alone then.',
      }),
  });
  const upsert = database.prepare(
    `INSERT INTO totals (day, purpose, calls, cost) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, cost = cost + excluded.cost`,
  );
  const select = database.prepare('SELECT calls, cost FROM totals WHERE day = ? AND purpose = ?');
  return {
    add: (day, purpose, { calls, cost }) => void writeOwn(path, () => upsert.run(day, purpose, calls, cost)),
    of: (day, purpose) => {
      const { calls, cost } = select.get(day, purpose) ?? {};
      return { calls: Number(calls ?? 0), cost: Number(cost ?? 0) };
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** The day (UTC) of a time in milliseconds since the epoch. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

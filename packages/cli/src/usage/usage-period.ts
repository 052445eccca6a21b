import { BulkheadError } from '@bulkhead/protocol';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Converts days to the engine's period: from inclusive, to exclusive. Days are in UTC, as in the
 * engine's records; both given days belong to the period.
 *
 * @param from YYYY-MM-DD; undefined for no bound, as `to`
 * @throws BulkheadError `usage`
 */
export function usagePeriod(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const start = from === undefined ? undefined : startOf(from, '--from');
  const end = to === undefined ? undefined : startOf(to, '--to') + DAY_MS;
  if (start !== undefined && end !== undefined && start >= end) {
    throw usage(`--from ${from} comes after --to ${to}`);
  }
  return { from: timeText(start), to: timeText(end) };
}

function startOf(day: string, option: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // A day that isn't in the calendar may be read as one of the next month.
  if (Number.isFinite(time) && timeText(time).startsWith(day)) return time;
  throw usage(`${option} is a day as in 2026-01-31, not "${day}"`);
}

function timeText(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString();
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead usage --help`.' });
}

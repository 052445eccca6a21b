const DAY_MS = 86_400_000;

/** First and last day, inclusive, as numbers of days since 1970-01-01. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
  /** No year was given: the same days of other years match as well. */
  readonly yearly: boolean;
}

/** @param date - `YYYY-MM-DD`; undefined for anything else, and for invalid days. */
export function calendarDay(date: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(date);
  if (match === null) return undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : at / DAY_MS;
}

/** The day on which this moment falls, in the time zone of the process. */
export function dayOf(moment: Date): number {
  return daysIn(moment.getFullYear(), moment.getMonth() + 1, moment.getDate());
}

/** @param month - From 1; 0 and 13 belong to the neighbouring years. */
export function daysIn(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

export function ofMonth(year: number, month: number): DayRange {
  return { from: daysIn(year, month, 1), to: daysIn(year, month + 1, 1) - 1, yearly: false };
}

/** 0 is Sunday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Number of days after the end of the range: 0 within, negative before it. */
export function daysAfter(day: number, range: DayRange): number {
  const plain = distance(day, range.from, range.to);
  if (!range.yearly) return plain;
  const year = new Date(day * DAY_MS).getUTCFullYear() - new Date(range.from * DAY_MS).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].map((by) =>
    distance(day, shift(range.from, by), shift(range.to, by)),
  );
  return candidates.reduce((best, one) => (Math.abs(one) < Math.abs(best) ? one : best), plain);
}

function distance(day: number, from: number, to: number): number {
  if (day < from) return day - from;
  return day > to ? day - to : 0;
}

function shift(day: number, years: number): number {
  const date = new Date(day * DAY_MS);
  return daysIn(date.getUTCFullYear() + years, date.getUTCMonth() + 1, date.getUTCDate());
}

import { calendarDay } from './days.ts';

const SEASONS = ['winter', 'spring', 'summer', 'autumn'];

/**
 * A day as people say it, to be found by it: `8 May 2026 Friday spring`.
 *
 * @param date - `YYYY-MM-DD`; anything else gives an empty string.
 */
export function dateWords(date: string): string {
  const day = calendarDay(date);
  if (day === undefined) return '';
  const moment = new Date(day * 86_400_000);
  const named = (part: Intl.DateTimeFormatOptions) =>
    moment.toLocaleDateString('en', { ...part, timeZone: 'UTC' });
  const season = SEASONS[Math.floor(((moment.getUTCMonth() + 1) % 12) / 3)] ?? '';
  return `${moment.getUTCDate()} ${named({ month: 'long' })} ${moment.getUTCFullYear()} ${named({ weekday: 'long' })} ${season}`;
}

import { calendarDay, weekday } from './days.ts';

const SEASONS = ['winter', 'spring', 'summer', 'autumn'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
];

/**
 * A day in words, for finding it: `8 May 2026 Friday spring`.
 *
 * @param date - `YYYY-MM-DD`; anything else gives an empty string.
 */
export function dateWords(date: string): string {
  const day = calendarDay(date);
  if (day === undefined) return '';
  const moment = new Date(day * 86_400_000);
  const month = moment.getUTCMonth();
  const season = SEASONS[Math.floor(((month + 1) % 12) / 3)] ?? '';
  const named = `${MONTHS[month] ?? ''} ${moment.getUTCFullYear()} ${WEEKDAYS[weekday(day)] ?? ''}`;
  return `${moment.getUTCDate()} ${named} ${season}`;
}

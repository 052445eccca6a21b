import { visibleText } from '@bulkhead/protocol';
/** The last part of a folder's path: enough to recognize it. */
export function folderName(path: string): string {
  return visibleText(path.split('/').findLast((part) => part !== '') ?? path, false);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age of a time, in a word or two. @param time RFC 3339 @param now milliseconds since 1970 */
export function ago(time: string, now: number): string {
  const past = now - Date.parse(time);
  if (Number.isNaN(past)) return '';
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  if (past < 7 * DAY) return `${Math.floor(past / DAY)} d ago`;
  return new Date(time).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Clock time of an event. */
export function clockTime(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** As `12.3k`. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 1_000_000) return `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** US dollars, as exact as they matter. */
export function dollars(value: number): string {
  if (value === 0) return '$0';
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

/** `one file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

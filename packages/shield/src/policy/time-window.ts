import { BulkheadError } from '@bulkhead/protocol';

export type Weekday = (typeof WEEKDAYS)[number];

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const WEEKDAY_NAMES: readonly string[] = WEEKDAYS;

/** Hours of a week in one time zone. */
export interface TimeWindow {
  /** Minutes since midnight. If `from` is later than `to`, the window continues past midnight. */
  readonly from: number;
  readonly to: number;
  /** For a window past midnight: the days on which it starts. */
  readonly days: ReadonlySet<Weekday>;
  /** Weekday and minute of the day, in the zone's local time. */
  readonly clock: Intl.DateTimeFormat;
}

const MINUTES_OF_A_DAY = 24 * 60;
const TIME = /^([01]\d|2[0-4]):([0-5]\d)$/;

/** @throws BulkheadError `config_invalid` for an invalid or empty window */
export function parseTimeWindow(source: {
  readonly days?: readonly Weekday[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly zone: string;
}): TimeWindow {
  const from = minuteOf(source.from ?? '00:00');
  const to = minuteOf(source.to ?? '24:00');
  if (from === to) throw invalid('from and to are the same: no time is between them');
  return { from, to, days: new Set(source.days ?? WEEKDAYS), clock: clockOf(source.zone) };
}

/** @param now milliseconds since the epoch */
export function isWithin({ from, to, days, clock }: TimeWindow, now: number): boolean {
  const { day, minute } = read(clock, now);
  if (from < to) return days.has(dayAt(day)) && minute >= from && minute < to;
  return minute >= from ? days.has(dayAt(day)) : minute < to && days.has(dayAt(day + 6));
}

function minuteOf(text: string): number {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  const minute = hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
  if (minute <= MINUTES_OF_A_DAY) return minute;
  throw invalid(`${JSON.stringify(text)} is no time of day: write 09:00`);
}

function clockOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch (cause) {
    throw invalid(`${JSON.stringify(zone)} is no time zone: write Europe/Berlin or UTC`, cause);
  }
}

function read(clock: Intl.DateTimeFormat, now: number): { readonly day: number; readonly minute: number } {
  const parts = new Map(clock.formatToParts(now).map(({ type, value }) => [type, value]));
  const name = parts.get('weekday')?.toLowerCase() ?? '';
  const day: number = WEEKDAY_NAMES.indexOf(name);
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  if (day >= 0 && Number.isInteger(minute)) return { day, minute };
  throw new BulkheadError('internal', 'the time of day could not be read');
}

function dayAt(index: number): Weekday {
  return WEEKDAYS[index % WEEKDAYS.length] ?? 'mon';
}

function invalid(message: string, cause?: unknown): BulkheadError {
  return new BulkheadError('config_invalid', message, { cause });
}

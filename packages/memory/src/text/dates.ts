import { calendarDay, type DayRange, daysIn, ofMonth, weekday } from './days.ts';

/**
 * Most characters searched for dates: a question is shorter, and a longer line mentions several
 * days.
 */
const LONGEST_TEXT = 4_000;
const MOST_RANGES = 8;

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const SEASONS = 'spring|summer|autumn|fall|winter';
const WEEKDAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const UNITS = 'day|weekend|week|month|year';
const NUMBERS =
  'an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|couple of|few|\\d{1,3}';
const YEAR = '(?:19|20)\\d{2}';
const FIRST_MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const COUNTS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const FEASTS: Readonly<Record<string, readonly [month: number, first: number, days: number]>> = {
  christmas: [12, 24, 3],
  'new year': [1, 1, 1],
  halloween: [10, 31, 1],
  valentine: [2, 14, 1],
};

/** Tried in this order at each place; later ones don't read the same text again. */
const EXPRESSION = new RegExp(
  [
    `(?<iso>${YEAR}-\\d{2}-\\d{2})`,
    `(?<dayFirst>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<dayMonth>${MONTHS})\\b\\.?(?:,? (?<dayYear>${YEAR}))?`,
    `(?<namedMonth>${MONTHS})\\b\\.? (?:the )?(?<namedDay>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<namedYear>${YEAR}))?`,
    `(?<bareMonth>${MONTHS})\\b\\.?,?(?: of)? (?<bareYear>${YEAR})`,
    `(?<lead>in|last|this|next|since|during|early|late|mid|until|by|of|for|every|around|from)[ -](?<leadMonth>${MONTHS})\\b(?!\\.?,?(?: of| the)? \\d)`,
    `(?:(?<seasonLead>last|this|next) )?\\b(?<season>${SEASONS})\\b(?:,?(?: of)? (?<seasonYear>${YEAR}))?`,
    `(?<count>${NUMBERS}) (?<unit>${UNITS})s? (?<direction>ago|before|earlier|from now)`,
    `(?<relative>last|this|next|past) (?<relativeUnit>${UNITS}|night|${WEEKDAYS})\\b`,
    `(?<near>the day before yesterday|yesterday|today|tonight|tomorrow|this morning|this evening)`,
    `(?<feast>christmas|new year|halloween|valentine)`,
    `on (?<onDay>${WEEKDAYS})`,
    `(?<year>${YEAR})`,
  ]
    .map((one) => `\\b(?:${one})`)
    .join('|'),
  'giu',
);
type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Returns the days in a text, as ranges; linear in the text and bounded in number.
 *
 * @param text - A question, or a line of a note.
 * @param today - Day on which it was written; see {@link calendarDay}.
 */
export function dateRanges(text: string, today: number): DayRange[] {
  const found: DayRange[] = [];
  for (const match of text.slice(0, LONGEST_TEXT).matchAll(EXPRESSION)) {
    const range = match.groups === undefined ? undefined : readRange(match.groups, today);
    if (range !== undefined) found.push(range);
    if (found.length === MOST_RANGES) break;
  }
  return found;
}

function readRange(groups: Groups, today: number): DayRange | undefined {
  return calendarRange(groups, today) ?? seasonRange(groups, today) ?? relativeRange(groups, today);
}

function calendarRange(groups: Groups, today: number): DayRange | undefined {
  const {
    iso,
    dayFirst,
    dayMonth,
    dayYear,
    namedMonth,
    namedDay,
    namedYear,
    bareMonth,
    bareYear,
    year,
    feast,
  } = groups;
  if (iso !== undefined) return ofIso(iso);
  if (dayMonth !== undefined) return ofDay(Number(dayFirst), monthOf(dayMonth), dayYear, today);
  if (namedMonth !== undefined) return ofDay(Number(namedDay), monthOf(namedMonth), namedYear, today);
  if (bareMonth !== undefined) return ofMonth(Number(bareYear), monthOf(bareMonth));
  if (year !== undefined)
    return { from: day(Number(year), 1, 1), to: day(Number(year), 12, 31), yearly: false };
  if (feast !== undefined) return ofFeast(feast.toLowerCase(), today);
  return undefined;
}

function seasonRange(groups: Groups, today: number): DayRange | undefined {
  const { lead, leadMonth, seasonLead, season, seasonYear } = groups;
  if (leadMonth !== undefined)
    return ofLead(lead?.toLowerCase(), (year) => ofMonth(year, monthOf(leadMonth)), today);
  if (season === undefined) return undefined;
  const name = season.toLowerCase();
  if (seasonYear !== undefined) return ofSeason(name, Number(seasonYear));
  return ofLead(seasonLead?.toLowerCase(), (year) => ofSeason(name, year), today);
}

function relativeRange(groups: Groups, today: number): DayRange | undefined {
  const { count, unit, direction, relative, relativeUnit, near, onDay } = groups;
  if (count !== undefined && unit !== undefined) {
    const sign = direction?.toLowerCase() === 'from now' ? 1 : -1;
    return around(
      today + sign * countOf(count.toLowerCase()) * lengthOf(unit.toLowerCase()),
      unit.toLowerCase(),
    );
  }
  if (relativeUnit !== undefined)
    return ofUnit(relative?.toLowerCase() ?? 'last', relativeUnit.toLowerCase(), today);
  if (near !== undefined) return single(today + offsetOf(near.toLowerCase()));
  if (onDay !== undefined) return single(weekdayBefore(onDay.toLowerCase(), today));
  return undefined;
}

function ofDay(date: number, month: number, year: string | undefined, today: number): DayRange | undefined {
  if (date < 1 || date > 31) return undefined;
  const known = year === undefined ? yearOf(today) : Number(year);
  const at = day(known, month, date);
  return { from: at, to: at, yearly: year === undefined };
}

function ofFeast(feast: string, today: number): DayRange | undefined {
  const row = FEASTS[feast];
  if (row === undefined) return undefined;
  const from = day(yearOf(today), row[0], row[1]);
  return { from, to: from + row[2] - 1, yearly: true };
}

/** `last`, `this` and `next` bind a month or season to a year; without them any year matches. */
function ofLead(lead: string | undefined, inYear: (year: number) => DayRange, today: number): DayRange {
  const year = yearOf(today);
  if (lead === 'last') return inYear(year).to < today ? inYear(year) : inYear(year - 1);
  if (lead === 'next') return inYear(year).from > today ? inYear(year) : inYear(year + 1);
  if (lead === 'this') return inYear(year);
  return { ...inYear(year), yearly: true };
}

function ofSeason(season: string, year: number): DayRange {
  if (season === 'winter') return { from: day(year - 1, 12, 1), to: ofMonth(year, 2).to, yearly: false };
  const first = season === 'spring' ? 3 : season === 'summer' ? 6 : 9;
  return { from: day(year, first, 1), to: ofMonth(year, first + 2).to, yearly: false };
}

function ofUnit(relative: string, unit: string, today: number): DayRange {
  const step = relative === 'next' ? 1 : relative === 'this' ? 0 : -1;
  if (unit === 'night') return single(today - 1);
  if (unit === 'year')
    return { from: day(yearOf(today) + step, 1, 1), to: day(yearOf(today) + step, 12, 31), yearly: false };
  if (unit === 'month') {
    const [year, month] = yearAndMonth(today);
    return ofMonth(year, month + step);
  }
  if (unit === 'day') return single(today + step);
  if (unit === 'week' || unit === 'weekend') {
    const monday = today - ((weekday(today) + 6) % 7) + 7 * step;
    return { from: unit === 'week' ? monday : monday + 4, to: monday + 6, yearly: false };
  }
  return single(step > 0 ? weekdayBefore(unit, today + 7) : weekdayBefore(unit, today));
}

/** People round such counts: allows a week or two on either side of months ago. */
function around(at: number, unit: string): DayRange {
  const slack = unit === 'year' ? 60 : unit === 'month' ? 15 : unit === 'day' ? 0 : 3;
  return { from: at - slack, to: at + slack, yearly: false };
}

function weekdayBefore(name: string, today: number): number {
  const wanted = WEEKDAYS.split('|').indexOf(name) + 1;
  const back = (weekday(today) - (wanted % 7) + 7) % 7;
  return today - (back === 0 ? 7 : back);
}

function offsetOf(near: string): number {
  if (near === 'the day before yesterday') return -2;
  if (near === 'yesterday') return -1;
  return near === 'tomorrow' ? 1 : 0;
}

function countOf(text: string): number {
  if (/^\d/u.test(text)) return Number(text);
  if (text.includes('couple')) return 2;
  if (text.includes('few')) return 3;
  return Math.max(1, COUNTS.indexOf(text));
}

function lengthOf(unit: string): number {
  if (unit === 'year') return 365;
  if (unit === 'month') return 30;
  return unit === 'day' ? 1 : 7;
}

function monthOf(name: string): number {
  return FIRST_MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function single(at: number): DayRange {
  return { from: at, to: at, yearly: false };
}

function ofIso(date: string): DayRange | undefined {
  const at = calendarDay(date);
  return at === undefined ? undefined : single(at);
}

function yearOf(at: number): number {
  return yearAndMonth(at)[0];
}

function day(year: number, month: number, date: number): number {
  return daysIn(year, month, date);
}

function yearAndMonth(at: number): readonly [year: number, month: number] {
  const date = new Date(at * 86_400_000);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1];
}

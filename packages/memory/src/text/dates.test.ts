import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateWords } from './date-words.ts';
import { dateRanges } from './dates.ts';
import { calendarDay, daysAfter } from './days.ts';

/** A Wednesday. */
const TODAY = calendarDay('2026-05-20') ?? 0;

const shown = (text: string) =>
  dateRanges(text, TODAY).map(
    ({ from, to, yearly }) => `${show(from)}..${show(to)}${yearly ? ' yearly' : ''}`,
  );
const show = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

describe('days that a question names [M2]', () => {
  it.each([
    ['What was on 2026-03-04?', ['2026-03-04..2026-03-04']],
    ['What did Mara do on 3 June 2025?', ['2025-06-03..2025-06-03']],
    ['on June 3rd, 2025', ['2025-06-03..2025-06-03']],
    ['on the 3rd of June', ['2026-06-03..2026-06-03 yearly']],
    ['in May 2024', ['2024-05-01..2024-05-31']],
    ['last May', ['2025-05-01..2025-05-31']],
    ['last March', ['2026-03-01..2026-03-31']],
    ['in July', ['2026-07-01..2026-07-31 yearly']],
    ['last summer', ['2025-06-01..2025-08-31']],
    ['in the winter of 2025', ['2024-12-01..2025-02-28']],
    ['in 2023', ['2023-01-01..2023-12-31']],
    ['last year', ['2025-01-01..2025-12-31']],
    ['next month', ['2026-06-01..2026-06-30']],
    ['last week', ['2026-05-11..2026-05-17']],
    ['last weekend', ['2026-05-15..2026-05-17']],
    ['two weeks ago', ['2026-05-03..2026-05-09']],
    ['yesterday', ['2026-05-19..2026-05-19']],
    ['the day before yesterday', ['2026-05-18..2026-05-18']],
    ['on Monday', ['2026-05-18..2026-05-18']],
    ['last Wednesday', ['2026-05-13..2026-05-13']],
    ['at Christmas', ['2026-12-24..2026-12-26 yearly']],
    ['What may Mara march for?', []],
    ['She may be 12 or 31', []],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });
});

it('counts days after a range, in any year where none was named', () => {
  const [july] = dateRanges('in July', TODAY);
  const [named] = dateRanges('in July 2024', TODAY);
  const day = calendarDay('2025-08-02') ?? 0;
  expect(july && daysAfter(day, july)).toBe(2);
  expect(named && daysAfter(day, named)).toBe(367);
});

it('says a day in words', () => {
  expect(dateWords('2026-05-08')).toBe('8 May 2026 Friday spring');
  expect(dateWords('2026-12-31')).toBe('31 December 2026 Thursday winter');
  expect(dateWords('2026-13-08')).toBe('');
});

it('reads any text, in bounds', () => {
  const pieces = fc.constantFrom(
    'last ',
    'May ',
    '31 ',
    'February',
    ' 9999',
    ' of ',
    'two weeks ago',
    '\u202e',
    '🎉',
    'on ',
    'the ',
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          pieces,
          fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
        ),
      ),
      (parts) => {
        const ranges = dateRanges(parts.join(''), TODAY);
        expect(ranges.length).toBeLessThanOrEqual(8);
        for (const { from, to } of ranges) expect(from).toBeLessThanOrEqual(to);
      },
    ),
  );
  expect(dateRanges('last '.repeat(200_000), TODAY)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { isWithin, parseTimeWindow } from './time-window.ts';

/** 2026-07-06 is a Monday; Berlin is two hours ahead of UTC then. */
const at = (text: string): number => Date.parse(text);

describe('a time window', () => {
  const work = parseTimeWindow({
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '09:00',
    to: '17:30',
    zone: 'Europe/Berlin',
  });

  it.each([
    ['2026-07-06T06:59:59Z', false],
    ['2026-07-06T07:00:00Z', true],
    ['2026-07-06T15:29:59Z', true],
    ['2026-07-06T15:30:00Z', false],
    ['2026-07-11T08:00:00Z', false],
    // In winter one hour ahead.
    ['2026-01-05T07:30:00Z', false],
    ['2026-01-05T08:00:00Z', true],
  ])('is read on the clocks of its zone: %s is %s [H1]', (now, holds) => {
    expect(isWithin(work, at(now))).toBe(holds);
  });

  it.each([
    ['2026-07-10T21:59:00Z', false],
    ['2026-07-10T22:00:00Z', true],
    ['2026-07-11T05:59:00Z', true],
    ['2026-07-11T06:00:00Z', false],
    ['2026-07-11T22:30:00Z', false],
    ['2026-07-10T05:00:00Z', false],
  ])('past midnight belongs to the day it began on: %s is %s [H1]', (now, holds) => {
    const night = parseTimeWindow({ days: ['fri'], from: '22:00', to: '06:00', zone: 'UTC' });
    expect(isWithin(night, at(now))).toBe(holds);
  });

  it('is all day where no hour is given [H1]', () => {
    const sunday = parseTimeWindow({ days: ['sun'], zone: 'UTC' });
    expect(isWithin(sunday, at('2026-07-12T00:00:00Z'))).toBe(true);
    expect(isWithin(sunday, at('2026-07-12T23:59:59Z'))).toBe(true);
    expect(isWithin(sunday, at('2026-07-13T00:00:00Z'))).toBe(false);
  });
});

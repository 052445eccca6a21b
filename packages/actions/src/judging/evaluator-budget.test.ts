import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { describe, expect, it } from 'vitest';
import { StoredBudget } from './evaluator-budget.ts';

const DAY = 86_400_000;

function budgets(limits: { readonly perMinute: number; readonly perDay: number }) {
  const time = { wall: 100 * DAY, sinceBoot: 0, believed: 100 * DAY };
  const days = createDayTotals(memoryTables());
  /** As a new engine process has it. */
  const open = () =>
    new StoredBudget({
      store: createMemorySessionStore(),
      clock: { now: () => time.wall },
      machine: { sinceBoot: () => time.sinceBoot },
      time: { believed: () => time.believed },
      days,
      ...limits,
    });
  const given = (budget: StoredBudget, tries: number) =>
    Array.from({ length: tries }, () => {
      const place = budget.take();
      if (place.granted) place.done();
      return place.granted;
    }).filter(Boolean).length;
  return { time, open, given };
}

describe('how many actions the evaluator judges', () => {
  it.each([400 * DAY, -400 * DAY])(
    'begins no new minute and no new day when the wall clock jumps by %d ms [H3] [FT83]',
    (jump) => {
      const { time, open, given } = budgets({ perMinute: 2, perDay: 3 });
      const budget = open();
      expect(given(budget, 5)).toBe(2);
      time.wall += jump;
      expect(given(budget, 5)).toBe(0);
      time.sinceBoot += 60_000;
      expect(given(budget, 5)).toBe(1);
      expect(given(open(), 5)).toBe(0);
      time.believed += DAY;
      expect(given(open(), 5)).toBe(2);
    },
  );
});

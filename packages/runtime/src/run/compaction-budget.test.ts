import { expect, it } from 'vitest';
import { compactionBudget } from './compaction-budget.ts';

it('is the window without the system part and 4,096 tokens for an answer; never nothing [K1]', () => {
  expect(compactionBudget(128_000, 2_000)).toBe(128_000 - 2_000 - 4_096);
  // Of a small window the answer has at most a quarter.
  expect(compactionBudget(8_000, 2_000)).toBe(4_000);
  // A system part that fills the window.
  expect(compactionBudget(8_000, 9_000)).toBe(500);
});

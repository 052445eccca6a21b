import { expect, it } from 'vitest';
import { RespawnBudget } from './respawn-budget.ts';

it('allows five restarts in any minute, and more once the oldest is a minute old [P8]', () => {
  const budget = new RespawnBudget();
  for (const second of [0, 1, 2, 3, 4]) expect(budget.spend(second * 1_000)).toBe(true);
  expect(budget.spend(59_999)).toBe(false);
  expect(budget.spend(60_000)).toBe(true);
  expect(budget.spend(60_500)).toBe(false);
});

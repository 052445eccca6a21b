import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowHeights } from './visible-range.ts';

it('gives exactly the rows that touch a part of the list, whatever their heights', () => {
  const lists = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(lists, fc.nat(20_000), fc.integer({ min: 1, max: 2_000 }), (heights, from, size) => {
      const rows = new RowHeights(90);
      for (const [index, height] of heights.entries()) rows.set(index, height);
      const total = rows.between(0, heights.length);
      const top = Math.min(from, Math.max(total - 1, 0));
      const { first, end } = rows.range(heights.length, top, top + size);
      expect(rows.between(0, first)).toBeLessThanOrEqual(top);
      expect(rows.between(0, first + 1)).toBeGreaterThan(top);
      expect(rows.between(0, end) >= top + size || end === heights.length).toBe(true);
    }),
  );
});

it('says whether a height is news', () => {
  const rows = new RowHeights(10);
  expect([rows.set(0, 5), rows.set(0, 5), rows.set(0, 6)]).toEqual([true, false, true]);
  expect(rows.between(0, 3)).toBe(26);
});

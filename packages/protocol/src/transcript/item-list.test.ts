import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, emptyList, type ItemList, itemAt, itemsOf, replaceAt } from './item-list.ts';

const of = (count: number): ItemList<number> => {
  let list = emptyList<number>();
  for (let at = 0; at < count; at += 1) list = append(list, at);
  return list;
};

describe('ItemList', () => {
  it('holds what an array would, and leaves the list before a change as it was', () => {
    const steps = fc.array(fc.record({ index: fc.integer({ min: -2, max: 400 }), value: fc.integer() }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), steps, (count, changes) => {
        let list = of(count);
        let array = Array.from({ length: count }, (_, at) => at);
        for (const { index, value } of changes) {
          const before = list;
          const copy = [...itemsOf(before)];
          const inside = index >= 0 && index < array.length;
          list = inside ? replaceAt(list, index, value) : append(list, value);
          array = inside ? array.with(index, value) : [...array, value];
          expect([...itemsOf(before)]).toEqual(copy);
        }
        expect([...itemsOf(list)]).toEqual(array);
        expect(list.length).toBe(array.length);
        expect(itemAt(list, array.length)).toBeUndefined();
        expect(itemAt(list, -1)).toBeUndefined();
        expect(replaceAt(list, array.length, 1)).toBe(list);
      }),
      { numRuns: 60 },
    );
  });

  it('shares every page but the one that changed', () => {
    const list = of(10_000);
    const last = replaceAt(list, 9_999, -1);
    expect(last.pages).toBe(list.pages);
    const early = replaceAt(list, 70, -1);
    expect(early.pages.filter((page, at) => page !== list.pages[at])).toHaveLength(1);
    expect(append(list, 1).pages).toBe(list.pages);
  });
});

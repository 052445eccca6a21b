import { describe, expect, it } from 'vitest';
import { SeededRandom } from './seeded-random.ts';

const many = (random: SeededRandom) => Array.from({ length: 10_000 }, () => random.next());

describe('SeededRandom', () => {
  it('repeats itself for a seed and differs between neighbours', () => {
    expect(many(new SeededRandom(42))).toEqual(many(new SeededRandom(42)));
    const firsts = new Set(Array.from({ length: 1_000 }, (_, seed) => new SeededRandom(seed).next()));
    expect(firsts.size).toBe(1_000);
    expect(new SeededRandom(2 ** 40).next()).not.toBe(new SeededRandom(0).next());
  });

  it('is spread evenly, also over the first number of consecutive seeds', () => {
    for (const numbers of [
      many(new SeededRandom(1)),
      Array.from({ length: 10_000 }, (_, seed) => new SeededRandom(seed).next()),
    ]) {
      const buckets = Array<number>(10).fill(0);
      for (const number of numbers)
        buckets[Math.floor(number * 10)] = (buckets[Math.floor(number * 10)] ?? 0) + 1;
      for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });

  it('keeps to weights and bounds', () => {
    const random = new SeededRandom(3);
    const counts = { often: 0, seldom: 0, never: 0 };
    for (let n = 0; n < 10_000; n += 1) counts[random.weighted({ often: 9, seldom: 1, never: 0 })] += 1;
    expect(counts.never).toBe(0);
    expect(counts.seldom).toBeGreaterThan(800);
    expect(counts.seldom).toBeLessThan(1_200);
    const numbers = new Set(Array.from({ length: 1_000 }, () => random.between(2, 4)));
    expect([...numbers].toSorted()).toEqual([2, 3, 4]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrayVectors, type ReadVector } from './array-vectors.ts';
import { cosine } from './quantise.ts';

const open = (dimension: number, read: ReadVector, exactUpTo?: number) =>
  new ArrayVectors(dimension, read, exactUpTo);

/** Pseudorandom numbers, the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

function vectors(count: number, dimension: number, seed = 1): Map<number, Int8Array> {
  const random = numbers(seed);
  const vector = () => Int8Array.from({ length: dimension }, () => ((random.next().value >>> 8) % 255) - 127);
  return new Map(Array.from({ length: count }, (_, at) => [at * 3 + 1, vector()]));
}

const all = { allowed: () => true, tie: (id: number) => id };

describe('vectors in arrays [M2]', () => {
  const filled = (made: Map<number, Int8Array>, dimension: number, exactUpTo?: number) => {
    const store = open(dimension, (id) => made.get(id), exactUpTo);
    for (const [id, vector] of made) store.set(id, vector);
    return store;
  };
  const expected = (made: Map<number, Int8Array>, query: Int8Array, count: number) =>
    [...made]
      .map(([id, vector]) => ({ id, similarity: cosine(vector, query) }))
      .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
      .slice(0, count)
      .map(({ id }) => id);

  it.each([8, 31, 256, 1_000])(
    'finds the nearest exactly while they are few, %i numbers each',
    (dimension) => {
      const made = vectors(300, dimension);
      using store = filled(made, dimension);
      for (const query of vectors(5, dimension, 7).values()) {
        expect(store.nearest(query, { ...all, count: 12 })).toEqual(expected(made, query, 12));
      }
      expect(store.size).toBe(300);
    },
  );

  it('finds nearly all of the nearest by signs once they are many', () => {
    const made = vectors(3_000, 256);
    using store = filled(made, 256, 100);
    for (const [id, vector] of vectors(3, 256, 9)) {
      // A query near some vectors, as real ones are.
      const target = made.get(id) ?? vector;
      const query = target.map((value, at) => Math.round(value * 0.7 + (vector[at] ?? 0) * 0.3));
      expect(store.nearest(query, { ...all, count: 5 })[0]).toBe(id);
    }
  });

  it('forgets, replaces and leaves out', () => {
    const made = vectors(50, 32);
    using store = filled(made, 32);
    const query = made.get(1) ?? new Int8Array(32);
    expect(store.nearest(query, { ...all, count: 1 })).toEqual([1]);
    expect(store.nearest(query, { ...all, count: 50, allowed: (id) => id !== 1 })).not.toContain(1);
    store.delete(1);
    store.delete(1);
    expect(store.has(1)).toBe(false);
    expect(store.get(1)).toBeUndefined();
    expect(store.nearest(query, { ...all, count: 50 })).toHaveLength(49);
    made.set(4, query);
    store.set(4, query);
    expect(store.size).toBe(49);
    expect(store.nearest(query, { ...all, count: 1 })).toEqual([4]);
  });

  it('is empty at first', () => {
    using store = open(16, () => undefined);
    expect(store.nearest(new Int8Array(16), { ...all, count: 3 })).toEqual([]);
  });
});

it('find the same nearest as a comparison with each, whatever happened before [M2]', () => {
  const seed = fc.option(fc.integer({ min: 1, max: 9_999 }), { nil: undefined });
  const change = fc.tuple(fc.integer({ min: 1, max: 60 }), seed);
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.constantFrom(5, 1_000), (changes, exactUpTo) => {
      const made = new Map<number, Int8Array>();
      using store = open(64, (id) => made.get(id), exactUpTo);
      for (const [id, from] of changes) {
        const vector = from === undefined ? undefined : vectors(1, 64, from).get(1);
        if (vector === undefined) {
          made.delete(id);
          store.delete(id);
        } else {
          made.set(id, vector);
          store.set(id, vector);
        }
      }
      const query = vectors(1, 64, 77).get(1) ?? new Int8Array(64);
      const nearest = [...made.keys()].sort(
        (a, b) => cosine(made.get(b) ?? query, query) - cosine(made.get(a) ?? query, query) || a - b,
      );
      expect(store.nearest(query, { ...all, count: 10 })).toEqual(nearest.slice(0, 10));
    }),
    { numRuns: 30 },
  );
});

it('keeps signs of a bounded number of numbers, and still finds a vector for its own query [M2]', () => {
  const made = vectors(600, 3_072);
  using store = open(3_072, (id) => made.get(id), 100);
  for (const [id, vector] of made) store.set(id, vector);
  expect(store.nearest(made.get(301) ?? new Int8Array(3_072), { ...all, count: 1 })).toEqual([301]);
});

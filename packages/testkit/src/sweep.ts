import { SeededRandom } from './simulation/seeded-random.ts';

/** Always the same share, so that failures repeat. */
const SEED = 1;

/** `BULKHEAD_SWEEPS=whole`, as `npm run proof` sets it: runs whole sweeps instead of a share. */
export const sweepsAreWhole = process.env['BULKHEAD_SWEEPS'] === 'whole';

/** @returns the tried part of a sweep: a share, or all of it in `npm run proof` */
export function sweepOf(share: number, whole: number): number {
  return sweepsAreWhole ? whole : share;
}

/** @returns `count` of them in their order, or all in `npm run proof` */
export function shareOf<Item>(all: readonly Item[], count: number): readonly Item[] {
  if (sweepsAreWhole || all.length <= count) return all;
  const random = new SeededRandom(SEED);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.below(all.length));
  return all.filter((_, at) => chosen.has(at));
}

/**
 * @returns `count` of the whole numbers from `from` up to `end`, without it; or all in
 * `npm run proof`
 */
export function shareOfNumbers(from: number, end: number, count: number): readonly number[] {
  return shareOf(
    Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at),
    count,
  );
}

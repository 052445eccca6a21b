import type { SeededRandom } from '@bulkhead/testkit/simulation';
import type { Durability } from './durability.ts';
import { type DataOperation, isData, isFlush, type ObjectId, type Operation } from './operation.ts';

/**
 * Remains of the operations before a loss of power.
 * - `all`: everything, as if the machine had been shut down in order.
 * - `flushed`: only what was flushed, on a file system that keeps names in order.
 * - `names`: every name, and of contents only what was flushed: the file of 0 bytes after a rename.
 * - `sampled`: what was flushed, and of the rest whatever chance keeps, writes torn at sectors and pages, and names of different
 *   folders out of order.
 */
export const SHAPES = ['all', 'flushed', 'names', 'sampled'] as const;
export type Shape = (typeof SHAPES)[number];

/** How contents that were not flushed are kept by chance. */
type Keeping = 'none' | 'all' | 'prefix' | 'subset' | 'zeros';

const SECTORS = [512, 4_096] as const;

/** @returns the operations that are on the disk if power is lost once the first `cut` of them have ended */
export function crashState(
  operations: readonly Operation[],
  durability: Durability,
  cut: number,
  shape: Shape,
  random: SeededRandom,
): readonly Operation[] {
  const before = operations.slice(0, cut);
  if (shape === 'all') return before;
  const data = durability.data(cut);
  if (shape === 'sampled') return sampled(before, durability, data, random);
  const names = shape === 'names' ? undefined : durability.orderedNames(cut);
  return before.filter((operation, index) =>
    isData(operation) ? data.has(index) : names === undefined || names.has(index),
  );
}

function sampled(
  before: readonly Operation[],
  durability: Durability,
  data: ReadonlySet<number>,
  random: SeededRandom,
): readonly Operation[] {
  const inOrder = random.chance(0.5);
  const names = inOrder ? orderedPart(before, durability, random) : unorderedPart(before, durability, random);
  const keepings = new Map<ObjectId, Kept>();
  return before.flatMap((operation, index): readonly Operation[] => {
    if (!isData(operation)) return names.has(index) ? [operation] : [];
    if (data.has(index)) return [operation];
    const kept = keepings.get(operation.object) ?? newKept(random);
    keepings.set(operation.object, kept);
    return keptData(operation, kept, random);
  });
}

/** All names up to some moment after the last flush. */
function orderedPart(before: readonly Operation[], durability: Durability, random: SeededRandom) {
  const kept = new Set(durability.orderedNames(before.length));
  const open = before.flatMap((operation, index) => (isName(operation) && !kept.has(index) ? [index] : []));
  for (const index of open.slice(0, random.between(0, open.length))) kept.add(index);
  return kept;
}

/**
 * The operations that flushes need, and in each folder a beginning of the rest: after the first
 * lost operation in a folder, all later ones there are lost.
 */
function unorderedPart(before: readonly Operation[], durability: Durability, random: SeededRandom) {
  const needed = durability.neededNames(before.length);
  const ends = new Map<ObjectId, number>();
  const endOf = (folder: ObjectId) => {
    const end = ends.get(folder) ?? random.between(0, before.length * 2);
    ends.set(folder, end);
    return end;
  };
  const kept = new Set<number>();
  for (const [index, operation] of before.entries()) {
    if (!isName(operation)) continue;
    const folders = durability.foldersOf(index);
    const goes = folders.length === 0 ? random.chance(0.5) : folders.every((folder) => index < endOf(folder));
    if (needed.has(index) || goes) kept.add(index);
    else for (const folder of folders) ends.set(folder, 0);
  }
  return kept;
}

function isName(operation: Operation): boolean {
  return !isData(operation) && !isFlush(operation);
}

interface Kept {
  readonly keeping: Keeping;
  /** How many more operations a prefix keeps. */
  left: number;
}

function newKept(random: SeededRandom): Kept {
  const keeping = random.weighted<Keeping>({ none: 4, all: 2, prefix: 3, subset: 3, zeros: 2 });
  return { keeping, left: random.between(0, 4) };
}

function keptData(operation: DataOperation, kept: Kept, random: SeededRandom): readonly Operation[] {
  const end = operation.kind === 'resize' ? operation.size : operation.offset + operation.bytes.length;
  switch (kept.keeping) {
    case 'none':
      return [];
    case 'all':
      return [operation];
    case 'zeros': {
      if (operation.kind === 'resize') return [operation];
      return [{ ...operation, bytes: new Uint8Array(end - operation.offset) }];
    }
    case 'subset':
      if (operation.kind === 'resize') return [operation];
      return random.chance(0.5) ? torn(operation, random) : [];
    case 'prefix':
      kept.left -= 1;
      if (kept.left > 0) return [operation];
      return kept.left === 0 ? torn(operation, random) : [];
  }
}

/** Sectors and pages reach the disk whole, in any number. */
function torn(operation: DataOperation, random: SeededRandom): readonly Operation[] {
  if (operation.kind === 'resize' || random.chance(0.5)) return [operation];
  const { offset, bytes } = operation;
  const sector = SECTORS[random.below(SECTORS.length)] ?? SECTORS[0];
  const first = Math.floor(offset / sector) + 1;
  const last = Math.floor((offset + bytes.length) / sector);
  if (last < first) return [];
  const boundary = random.between(first, last) * sector;
  return [{ ...operation, bytes: bytes.subarray(0, Math.min(bytes.length, boundary - offset)) }];
}

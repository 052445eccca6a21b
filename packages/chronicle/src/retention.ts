import type { SnapshotHeader } from './snapshot.ts';

export const DAY_MS = 86_400_000;

/** How long snapshots are kept. */
export interface Retention {
  /** Most there are at a time. */
  readonly snapshots: number;
  readonly days: number;
  /** Most that all contents take of the disk, in bytes. */
  readonly maxBytes: number;
}

/** What a snapshot needs, and whose it is. */
type Kept = Pick<SnapshotHeader, 'id' | 'run' | 'state' | 'confirmed'> & {
  readonly hashes: readonly string[];
};

interface Answer {
  readonly newest: number;
  readonly isOpen: boolean;
  readonly snapshots: readonly Kept[];
}

/**
 * Snapshots that are to go, whole answers at a time, the oldest first: half an answer that is taken back would be a state
 * that never was. Number and bytes never take the newest answer, nor does anything take one of which an action goes on.
 *
 * @param newestFirst all there are
 * @param bytesOf what a content takes of the disk; one that several need counts for the newest of them
 * @param now confirmed time, in milliseconds
 */
export function expired(
  newestFirst: readonly Kept[],
  { snapshots, days, maxBytes }: Retention,
  bytesOf: (hash: string) => number,
  now: number,
): readonly string[] {
  const counted = new Set<string>();
  let count = 0;
  let bytes = 0;
  return answersOf(newestFirst).flatMap((answer, index) => {
    const needed = new Set(answer.snapshots.flatMap(({ hashes }) => hashes));
    const fresh = [...needed].filter((hash) => !counted.has(hash));
    const size = fresh.reduce((sum, hash) => sum + bytesOf(hash), 0);
    const isOver = count + answer.snapshots.length > snapshots || bytes + size > maxBytes;
    const isOld = now - answer.newest > days * DAY_MS;
    if (!answer.isOpen && (isOld || (isOver && index > 0))) {
      // Nothing older stays because it is smaller.
      if (isOver) count = Number.POSITIVE_INFINITY;
      return answer.snapshots.map(({ id }) => id);
    }
    count += answer.snapshots.length;
    bytes += size;
    for (const hash of fresh) counted.add(hash);
    return [];
  });
}

/**
 * Confirmed time at which a snapshot was taken. One of an engine that knew no confirmed time counts as taken at the first
 * reading: it is at least that old.
 */
export function takenAt({ confirmed = 0 }: Pick<SnapshotHeader, 'confirmed'>): number {
  return confirmed;
}

/** A rollback belongs to no answer: it is one of its own. */
function answersOf(newestFirst: readonly Kept[]): readonly Answer[] {
  const groups = Map.groupBy(newestFirst, ({ id, run }) => (run === '' ? `rollback ${id}` : `run ${run}`));
  return [...groups.values()].map((snapshots) => ({
    newest: Math.max(...snapshots.map(takenAt)),
    isOpen: snapshots.some(({ state }) => state === 'open'),
    snapshots,
  }));
}

import type { SnapshotHeader } from './snapshot.ts';

export const DAY_MS = 86_400_000;

/** How long snapshots are kept. */
export interface Retention {
  /** Most snapshots. */
  readonly snapshots: number;
  readonly days: number;
  /** Most disk space of all contents, in bytes. */
  readonly maxBytes: number;
}

/** A snapshot's owner and contents. */
type Kept = Pick<SnapshotHeader, 'id' | 'run' | 'state' | 'confirmed'> & {
  readonly hashes: readonly string[];
};

interface Answer {
  readonly newest: number;
  readonly isOpen: boolean;
  readonly snapshots: readonly Kept[];
}

/**
 * Returns the snapshots to delete, whole answers at a time, oldest first: undoing half an answer
 * would create a state that never existed. Limits of number and bytes never remove the newest
 * answer, and an answer with a running action always stays.
 *
 * @param newestFirst all snapshots
 * @param bytesOf disk space of a content; a shared one counts for the newest snapshot that needs it
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
      // No older snapshot stays because it is smaller.
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
 * Confirmed time of a snapshot. One from an engine without confirmed time counts as taken at the
 * first reading: it is at least that old.
 */
export function takenAt({ confirmed = 0 }: Pick<SnapshotHeader, 'confirmed'>): number {
  return confirmed;
}

/** A rollback is a separate answer. */
function answersOf(newestFirst: readonly Kept[]): readonly Answer[] {
  const groups = Map.groupBy(newestFirst, ({ id, run }) => (run === '' ? `rollback ${id}` : `run ${run}`));
  return [...groups.values()].map((snapshots) => ({
    newest: Math.max(...snapshots.map(takenAt)),
    isOpen: snapshots.some(({ state }) => state === 'open'),
    snapshots,
  }));
}

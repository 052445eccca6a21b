import type { SnapshotHeader } from './snapshot.ts';

/**
 * Actions that were taken back and have not been done again: a rollback that was itself taken back counts no more.
 *
 * @param newestFirst all snapshots there are
 * @returns for each such action the rollback that took it back
 */
export function undone(
  newestFirst: readonly Pick<SnapshotHeader, 'id' | 'undoes'>[],
): ReadonlyMap<string, string> {
  const by = new Map<string, string>();
  for (const { id, undoes } of newestFirst) {
    if (by.has(id)) continue;
    for (const earlier of undoes) by.set(earlier, id);
  }
  return by;
}

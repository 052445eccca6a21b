import type { SnapshotHeader } from './snapshot.ts';

/**
 * Returns the undone actions that are not redone: a rollback that was itself undone does not count.
 *
 * @param newestFirst all snapshots
 * @returns for each such action the rollback that undid it
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

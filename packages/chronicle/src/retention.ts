import type { SnapshotHeader } from './snapshot.ts';

const DAY_MS = 86_400_000;

/** How long snapshots are kept. */
export interface Retention {
  /** Most there are at a time. */
  readonly snapshots: number;
  readonly days: number;
}

/**
 * Snapshots that are to go: those beyond the number, the oldest first, and those beyond the age. One whose action goes on
 * stays, or what it is about to change could not be undone.
 *
 * @param newestFirst all there are
 * @param now milliseconds since 1970
 */
export function expired(
  newestFirst: readonly Pick<SnapshotHeader, 'id' | 'state' | 'time'>[],
  { snapshots, days }: Retention,
  now: number,
): readonly string[] {
  return newestFirst
    .filter(
      ({ state, time }, index) => state === 'done' && (index >= snapshots || now - time > days * DAY_MS),
    )
    .map(({ id }) => id);
}

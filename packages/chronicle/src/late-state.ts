import { type ObjectState, sameContent } from './object-state.ts';
import type { SnapshotChange } from './snapshot.ts';

/**
 * What an action left, as seen after a crash: only what is as it was before or as the action was to leave it. Anything else
 * may be what a person did meanwhile.
 *
 * @returns undefined if that can't be told
 */
export function lateState(
  { before, expected }: Pick<SnapshotChange, 'before' | 'expected'>,
  now: ObjectState,
): ObjectState | undefined {
  if (sameContent(before, now)) return now;
  // Folders on the way, whose time only changes with their entries.
  if (before.kind === 'missing' && expected === undefined && now.kind === 'folder') return now;
  if (expected === undefined || expected.kind !== now.kind) return undefined;
  if (now.kind !== 'file') return now;
  if (expected.hash !== undefined) return expected.hash === now.hash ? now : undefined;
  return expected.size === now.size ? now : undefined;
}

import { type ObjectState, sameContent } from './object-state.ts';
import type { SnapshotChange } from './snapshot.ts';

/**
 * Returns the state after an action, as observed after a crash: only if it equals the state before,
 * or the expected one. Any other state may be a person's work since then.
 *
 * @returns undefined if that is unknown
 */
export function lateState(
  { before, expected }: Pick<SnapshotChange, 'before' | 'expected'>,
  now: ObjectState,
): ObjectState | undefined {
  if (sameContent(before, now)) return now;
  // Parent folders, whose time only changes with their entries.
  if (before.kind === 'missing' && expected === undefined && now.kind === 'folder') return now;
  if (expected === undefined || expected.kind !== now.kind) return undefined;
  if (now.kind !== 'file') return now;
  if (expected.hash !== undefined) return expected.hash === now.hash ? now : undefined;
  return expected.size === now.size ? now : undefined;
}

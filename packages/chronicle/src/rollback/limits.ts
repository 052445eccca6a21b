import type { ObjectState } from '../object-state.ts';
import type { RestoreStep } from './plan-rollback.ts';

const LIMIT =
  'Content, mode and times come back. What few files have does not: extended attributes, access lists (ACLs), another owner unless Bulkhead runs as root.';

/**
 * Returns the limits of a rollback, reported with its result [FG6]: Node can't read or set extended
 * attributes, which include access lists. A restored object is a new one without them, and owned by
 * the engine's user if that isn't root.
 *
 * @returns one sentence each; none if no content is restored
 */
export function limitsOf(steps: readonly RestoreStep[]): readonly string[] {
  return steps.some(isMade) ? [LIMIT] : [];
}

function isMade({ from, to }: RestoreStep): boolean {
  return to.kind === 'file' ? contentOf(from) !== to.hash : to.kind === 'folder' && from.kind !== 'folder';
}

function contentOf(state: ObjectState): string | undefined {
  return state.kind === 'file' ? state.hash : undefined;
}

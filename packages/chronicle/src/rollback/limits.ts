import type { ObjectState } from '../object-state.ts';
import type { RestoreStep } from './plan-rollback.ts';

const LIMIT =
  'Content, mode and times come back. What few files have does not: extended attributes, access lists (ACLs), another owner.';

/**
 * What a rollback can't give back, said with its answer [FG6]: Node can neither read nor set extended attributes, and access
 * lists are such. An object whose content is put back is a new one, has none, and is the engine's user's.
 *
 * @returns a sentence each; none if no content is put back
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

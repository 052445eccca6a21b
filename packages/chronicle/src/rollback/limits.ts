import type { ObjectState } from '../object-state.ts';
import type { RestoreStep } from './plan-rollback.ts';

/**
 * What a rollback can't give back, said with its answer [FG6]: Node can neither read nor set extended attributes, and access
 * lists are such. An object whose content is put back is a new one, has none, and is the engine's user's.
 *
 * @returns a line each
 */
export function limitsOf(steps: readonly RestoreStep[]): readonly string[] {
  const made = steps.filter(isMade);
  if (made.length === 0) return [];
  const objects = made.length === 1 ? 'object is a new one' : 'objects are new ones';
  return [
    `${made.length} ${objects}: extended attributes, access lists and another owner, if there were any, are not put back`,
  ];
}

function isMade({ from, to }: RestoreStep): boolean {
  return to.kind === 'file' ? contentOf(from) !== to.hash : to.kind === 'folder' && from.kind !== 'folder';
}

function contentOf(state: ObjectState): string | undefined {
  return state.kind === 'file' ? state.hash : undefined;
}

import type { RestoreStep } from './plan-rollback.ts';

/** Steps in a possible order. */
export interface RestoreOrder {
  /** Objects to remove, or to replace by another kind: deepest first. */
  readonly removed: readonly RestoreStep[];
  /** Objects to create: folders before their entries. */
  readonly placed: readonly RestoreStep[];
  /** Modes and times of folders, which all earlier steps change: deepest first. */
  readonly folders: readonly RestoreStep[];
}

export function restoreOrder(steps: readonly RestoreStep[]): RestoreOrder {
  const shallowFirst = steps.toSorted((a, b) => depth(a) - depth(b));
  const deepFirst = shallowFirst.toReversed();
  return {
    removed: deepFirst.filter(({ from, to }) => from.kind !== 'missing' && from.kind !== to.kind),
    placed: shallowFirst.filter(
      ({ to, from }) => to.kind !== 'missing' && !(to.kind === 'folder' && from.kind === 'folder'),
    ),
    folders: deepFirst.filter(({ to }) => to.kind === 'folder'),
  };
}

function depth({ path }: RestoreStep): number {
  return path === '.' ? 0 : path.split('/').length;
}

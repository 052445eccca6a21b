import type { RestoreStep } from './plan-rollback.ts';

/** Steps in the order in which each can be done. */
export interface RestoreOrder {
  /** What stands at a name that is to be free, or to be something of another kind: the deepest first. */
  readonly removed: readonly RestoreStep[];
  /** What is put there: folders before what lies in them. */
  readonly placed: readonly RestoreStep[];
  /** Modes and times of folders, which all before this changes: the deepest first. */
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

import type { ObservedChange } from '@bulkhead/protocol';

/** Absolute paths of changes in a folder. */
export function changedPaths(
  workingFolder: string,
  changes: readonly Pick<ObservedChange, 'path'>[],
): readonly string[] {
  return changes.map(({ path }) => {
    const name = Buffer.from(path).toString();
    return name === '.' ? workingFolder : `${workingFolder}/${name}`;
  });
}

import type { Neighbour } from '@bulkhead/sandbox';
import { guardNeighbour, type NeighbourParts } from './guarded-neighbour.ts';

/** Places that all folders beside one may hide together: the launcher takes 1,024 in all. */
const MAX_HIDDEN = 150;

/** A folder that is shown read-only beside or around the working folder. */
export interface Beside extends Neighbour {
  /** True for one of programs: what packages bring there is no secret of the person. */
  readonly isOfPrograms?: boolean;
}

/** Additions to a box for such folders. */
export interface GuardedBeside {
  readonly neighbours: readonly Neighbour[];
  readonly hide: readonly string[];
  readonly deny: readonly string[];
  /** Other names of their hidden files in the working folder: components below that. */
  readonly linked: readonly (readonly string[])[];
  /** A clause for each folder that is not shown. */
  readonly problems: readonly string[];
}

/**
 * Prepares folders for a read-only view. One that can't be guarded is left out, and named.
 *
 * @param hiddenInside components below the working folder of what is hidden in it
 */
export async function guardBeside(
  folders: readonly Beside[],
  workingFolder: string,
  hiddenInside: NeighbourParts['hiddenInside'],
  files: NeighbourParts['files'],
): Promise<GuardedBeside> {
  const neighbours: Neighbour[] = [];
  const hide: string[] = [];
  const deny: string[] = [];
  const linked: (readonly string[])[] = [];
  const problems: string[] = [];
  for (const { isOfPrograms = false, ...folder } of folders) {
    const parts = { workingFolder, hiddenInside, files, ...(isOfPrograms ? { isPackaged } : {}) };
    const guarded = await guardNeighbour(folder, parts);
    const hidden = [hide, deny, guarded.hide, guarded.deny].reduce((sum, list) => sum + list.length, 0);
    const many = hidden > MAX_HIDDEN ? `more than ${MAX_HIDDEN} files there may hold credentials` : undefined;
    const problem = guarded.problem ?? many;
    if (problem === undefined) {
      neighbours.push(...guarded.neighbours);
      hide.push(...guarded.hide);
      deny.push(...guarded.deny);
      linked.push(...guarded.linked);
    } else {
      const what = isOfPrograms ? 'toolchain folder' : 'folder';
      problems.push(`the ${what} ${folder.path} is not shown: ${problem}`);
    }
  }
  return { neighbours, hide, deny, linked, problems };
}

/** Folders of what was installed. A package's content is no secret of this user, and its tests bring keys. */
const PACKAGED = new Set(['site-packages', 'dist-packages', 'testdata', 'gems', 'include', 'rustlib']);

function isPackaged(names: readonly string[]): boolean {
  const [above = '', name = ''] = names.slice(-2);
  if (PACKAGED.has(names.at(-1) ?? '')) return true;
  return (above === 'share' && name === 'doc') || (name === 'test' && /^python\d/.test(above));
}

import type { Neighbour } from '@bulkhead/sandbox';
import { privatePlaces } from '../beside/private-places.ts';
import { guardNeighbour, type NeighbourParts } from './guarded-neighbour.ts';
import { guardedFolders } from './guarded-places.ts';

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
  const closed = await closedOf(folders, files);
  for (const { isOfPrograms = false, ...folder } of folders) {
    const kind = isOfPrograms ? { isPackaged } : { ...(closed === undefined ? {} : { closed }) };
    const parts = { workingFolder, hiddenInside, files, ...kind };
    const guarded = await guardNeighbour(folder, parts);
    const problem = guarded.problem ?? tooMany(guarded, hide.length + deny.length);
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

/** @param others places that are hidden in other folders */
function tooMany({ hide, deny }: Pick<GuardedBeside, 'hide' | 'deny'>, others: number): string | undefined {
  const own = hide.length + deny.length;
  if (own > MAX_HIDDEN) return `more than ${MAX_HIDDEN} files there may hold credentials`;
  return own + others > MAX_HIDDEN
    ? `together with the other folders that are shown, it has more than ${MAX_HIDDEN} files that may hold credentials`
    : undefined;
}

/** Listings of such folders, for the next command. */
const LISTINGS = new WeakMap<object, NonNullable<NeighbourParts['closed']>>();

/** The catalogue is large, and needed only for folders of a person. */
async function closedOf(
  folders: readonly Beside[],
  { guarded }: NeighbourParts['files'],
): Promise<NeighbourParts['closed']> {
  if (folders.every((one) => one.isOfPrograms === true)) return undefined;
  const known = guarded === undefined ? undefined : LISTINGS.get(guarded);
  if (known !== undefined) return known;
  const places = privatePlaces(await import('@bulkhead/shield/analysis'));
  const closed = { places, folders: guardedFolders((name) => places.mayBe(name)) };
  if (guarded !== undefined) LISTINGS.set(guarded, closed);
  return closed;
}

/** Folders of what was installed. A package's content is no secret of this user, and its tests bring keys. */
const PACKAGED = new Set(['site-packages', 'dist-packages', 'testdata', 'gems', 'include', 'rustlib']);

function isPackaged(names: readonly string[]): boolean {
  const [above = '', name = ''] = names.slice(-2);
  if (PACKAGED.has(names.at(-1) ?? '')) return true;
  return (above === 'share' && name === 'doc') || (name === 'test' && /^python\d/.test(above));
}

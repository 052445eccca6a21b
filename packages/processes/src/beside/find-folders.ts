import type { Need } from '@bulkhead/protocol';
import type { MissingThings } from '@bulkhead/tools';
import { isSystemPlace } from '../paths/closed-places.ts';
import { isWithin } from '../paths/levels.ts';
import type { CheckedFolder, PlaceMeanings } from '../toolchains/folder-check.ts';
import { outermost } from '../toolchains/folders-of-program.ts';
import { followPath } from '../toolchains/follow-path.ts';
import { type BesideGround, checkBeside, isTemporary } from './check-beside.ts';

/** Folders that a command seems to have looked for, and that exist outside its box. */
export interface FoundFolders {
  readonly folders: readonly CheckedFolder[];
  /** Why others can't be shown, a clause each. */
  readonly refused: readonly string[];
}

/** Folders of one question. */
const MAX_FOLDERS = 4;

/**
 * Finds the smallest folders that hold what a command seems to have looked for. Of a folder beside the
 * working folder all is one: it is a project of its own.
 *
 * @param shown folders that the box shows already
 */
export function findFolders(
  places: MissingThings['places'],
  ground: BesideGround,
  shown: readonly string[],
  meanings: PlaceMeanings,
): FoundFolders {
  const { workingFolder } = ground;
  const isShown = (path: string) =>
    [workingFolder, ...shown].some((one) => isWithin(path, one)) ||
    isSystemPlace(path) ||
    isTemporary(path, workingFolder);
  const wanted = places.flatMap((place) => folderOf(place, workingFolder) ?? []);
  const folders: CheckedFolder[] = [];
  const refused: string[] = [];
  for (const path of outermost([...new Set(wanted)].filter((one) => !isShown(one)))) {
    const checked = checkBeside(path, ground, meanings);
    if (typeof checked === 'string')
      refused.push(`the folder ${path} is not shown to commands: it ${checked}`);
    else folders.push(checked);
  }
  if (folders.length <= MAX_FOLDERS) return { folders, refused };
  return { folders: [], refused: [...refused, `it names more than ${MAX_FOLDERS} folders outside this one`] };
}

/** The needs of a question. */
export function folderNeeds(folders: readonly CheckedFolder[]): readonly Need[] {
  return folders.map(({ path, identity }) => ({ kind: 'folder', target: path, identity }));
}

/** The folder that would have to be shown; undefined if nothing is at the place. */
function folderOf(
  { path, from }: MissingThings['places'][number],
  workingFolder: string,
): string | undefined {
  for (const base of from) {
    const start = path.startsWith('/') ? '' : base.startsWith('/') ? base : `${workingFolder}/${base}`;
    const found = followPath(`${start}/${path}`);
    if (found === undefined) continue;
    const folder = found.facts.isDirectory() ? found.path : above(found.path);
    return wholeSibling(folder, above(workingFolder));
  }
  return undefined;
}

function wholeSibling(folder: string, parent: string): string {
  if (folder === parent || !isWithin(folder, parent)) return folder;
  const rest = folder.slice(parent.endsWith('/') ? parent.length : parent.length + 1);
  return folder.slice(0, folder.length - rest.length + (rest.split('/')[0] ?? '').length);
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

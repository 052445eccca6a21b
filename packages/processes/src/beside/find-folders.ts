import type { Need } from '@bulkhead/protocol';
import type { MissingThings } from '@bulkhead/tools';
import { isSystemPlace } from '../paths/closed-places.ts';
import { isWithin } from '../paths/levels.ts';
import type { CheckedFolder, PlaceMeanings } from '../toolchains/folder-check.ts';
import { outermost } from '../toolchains/folders-of-program.ts';
import { followPath } from '../toolchains/follow-path.ts';
import { type BesideGround, checkBeside, checkWritten, isTemporary } from './check-beside.ts';

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
  const wanted = places
    .filter(({ write }) => write !== true)
    .flatMap((place) => folderOf(place, workingFolder) ?? []);
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

/**
 * Finds the folder around the working folder that holds all places where a command was refused to write: the
 * root of its repository, or the innermost one that holds both.
 *
 * @param written folders that the command may change, beside the working folder
 * @param root of the repository around the working folder
 */
export function findWritten(
  places: MissingThings['places'],
  ground: BesideGround,
  written: readonly string[],
  root: string | undefined,
  meanings: PlaceMeanings,
): FoundFolders {
  const { workingFolder } = ground;
  const isOurs = (path: string) =>
    [workingFolder, ...written].some((one) => isWithin(path, one)) ||
    isSystemPlace(path) ||
    isTemporary(path, workingFolder);
  const folders = places
    .filter(({ write }) => write === true)
    .flatMap((place) => parentOf(place, workingFolder) ?? [])
    .filter((folder) => !isOurs(folder));
  if (folders.length === 0) return { folders: [], refused: [] };
  const around = folders.reduce(commonFolder, workingFolder);
  const path = root !== undefined && isWithin(around, root) ? root : around;
  const checked = checkWritten(path, ground, meanings);
  if (typeof checked !== 'string') return { folders: [checked], refused: [] };
  return { folders: [], refused: [`the folder ${path} can't be changed by commands: it ${checked}`] };
}

/** The needs of a question. */
export function folderNeeds(folders: readonly CheckedFolder[], write = false): readonly Need[] {
  const more = write ? { write: true as const } : {};
  return folders.map(({ path, identity }) => ({ kind: 'folder', target: path, identity, ...more }));
}

/** The folder in which a place is, or would be made; undefined without one outside the working folder. */
function parentOf(
  { path, from }: MissingThings['places'][number],
  workingFolder: string,
): string | undefined {
  return from
    .map((base) => nearest(startOf(path, base, workingFolder), path))
    .find((folder) => folder !== undefined && !isWithin(folder, workingFolder));
}

/** The innermost folder on the way to a place that exists, below where the way begins. */
function nearest(start: string, path: string): string | undefined {
  const whole = `${start}/${path}`;
  for (let at = whole; at.length > start.length; at = above(at)) {
    const found = followPath(at);
    if (found === undefined) continue;
    return found.facts.isDirectory() && at !== whole ? found.path : above(found.path);
  }
  return undefined;
}

function startOf(path: string, base: string, workingFolder: string): string {
  if (path.startsWith('/')) return '';
  return base.startsWith('/') ? base : `${workingFolder}/${base}`;
}

function commonFolder(one: string, other: string): string {
  let common = one;
  while (!isWithin(other, common)) common = above(common);
  return common;
}

/** The folder that would have to be shown; undefined if nothing is at the place. */
function folderOf(
  { path, from }: MissingThings['places'][number],
  workingFolder: string,
): string | undefined {
  for (const base of from) {
    const found = followPath(`${startOf(path, base, workingFolder)}/${path}`);
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

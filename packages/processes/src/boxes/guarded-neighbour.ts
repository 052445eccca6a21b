import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import type { Neighbour, ShellBox } from '@bulkhead/sandbox';
import { outermostOf, type PrivatePlaces, wholeProfile } from '../beside/private-places.ts';
import { guardedPlaces, isManagerSettings, shownPlace } from './guarded-places.ts';
import { linkedPlaces } from './linked-places.ts';
import type { ProtectedFiles } from './protected-files.ts';
import type { RememberedFolders } from './remembered-folders.ts';

/** Entries that are looked through before a command; a larger folder is not shown. */
const MAX_ENTRIES = 200_000;
/** Places that one may hide: each is a mount of the box. */
const MAX_HIDDEN = 300;

/** Additions to a box for one folder outside the working folder. */
export interface GuardedNeighbour extends Pick<ShellBox, 'hide'> {
  readonly neighbours: readonly Neighbour[];
  readonly deny: readonly string[];
  /** Other names of its hidden files in the working folder: components below that. */
  readonly linked: readonly (readonly string[])[];
  /** Hidden places, as a person reads them. */
  readonly hidden: readonly string[];
  /** Why it is not shown; absent if it is. */
  readonly problem?: string;
}

export interface NeighbourParts {
  readonly workingFolder: string;
  /** Components below the working folder of what is hidden in it. */
  readonly hiddenInside: readonly (readonly string[])[];
  /** True for a folder, by its components below, whose content is no secret of anybody; absent, none. */
  readonly isPackaged?: (names: readonly string[]) => boolean;
  /** Hides private data, history and credentials of the catalogue too, with listings for that; absent, not. */
  readonly closed?: { readonly places: PrivatePlaces; readonly folders: RememberedFolders };
  readonly files: Pick<ProtectedFiles, 'linked' | 'shownIn'> &
    Partial<Pick<ProtectedFiles, 'guarded' | 'mountedIn'>>;
}

/**
 * Prepares a folder around or beside the working folder for a read-only view: what may hold
 * credentials is hidden in it by the same names as in the working folder. If that can't be done for
 * all of it, it is not shown.
 */
export async function guardNeighbour(place: Neighbour, parts: NeighbourParts): Promise<GuardedNeighbour> {
  try {
    return await guarded(place, parts);
  } catch (error) {
    if (!BulkheadError.is(error)) throw error;
    return notShown(error.message);
  }
}

async function guarded(place: Neighbour, parts: NeighbourParts): Promise<GuardedNeighbour> {
  const { workingFolder, hiddenInside, files, isPackaged = () => false } = parts;
  const folder = place.path;
  const within = workingFolder.startsWith(`${folder}/`) ? workingFolder.slice(folder.length + 1) : undefined;
  const isWork = (names: readonly string[]) => names.join('/') === within;
  const mounts = files.mountedIn?.(folder) ?? [];
  const strange = mounts.find((path) => path !== workingFolder && !path.startsWith(`${workingFolder}/`));
  if (strange !== undefined) return notShown(`a file system is mounted at ${strange}`);
  const shown = files.shownIn(folder);
  const isSkipped = (names: readonly string[]) => isWork(names) || isPackaged(names);
  const folders = parts.closed?.folders ?? files.guarded;
  const isPrivate = parts.closed?.places.has;
  const places = await guardedPlaces(folder, isSkipped, {
    maxEntries: MAX_ENTRIES,
    isInstallation: parts.isPackaged !== undefined,
    ...(folders === undefined ? {} : { folders }),
    ...(isPrivate === undefined ? {} : { isPrivate }),
  });
  const hide = isPrivate === undefined ? places.hide : outermostOf(places.hide.map(wholeProfile));
  if (hide.some((names) => names.length === 0)) return notShown('it is the profile of a browser');
  const prefix = within?.split('/') ?? [];
  const inside = within === undefined ? [] : hiddenInside.map((names) => [...prefix, ...names]);
  const links = await linkedPlaces(folder, await files.linked(), [...places.hide, ...inside]);
  const isInWork = (names: readonly string[]) =>
    within !== undefined && names.join('/').startsWith(`${within}/`);
  const isHidden = (names: readonly string[]) =>
    hide.some((place) => names.join('/').startsWith(`${place.join('/')}/`));
  const outside = links.found.filter((names) => !isInWork(names) && !isHidden(names));
  const closed = [...hide, ...outside];
  if (!places.isWhole || !links.whole)
    return notShown('not all that may hold credentials can be hidden there');
  if (closed.length + shown.length > MAX_HIDDEN)
    return notShown(`more than ${MAX_HIDDEN} files there may hold credentials`);
  if (within !== undefined && closed.some((names) => `${within}/`.startsWith(`${names.join('/')}/`)))
    return notShown('this folder lies in one that may hold credentials');
  const absolute = (names: readonly string[]) => join(folder, ...names);
  const isReadByItself = (names: readonly string[]) => {
    const name = names.at(-1) ?? '';
    return name.startsWith('.') || isManagerSettings(name);
  };
  return {
    neighbours: [place],
    hide: [
      ...hide.filter(isReadByItself).map(absolute),
      ...shown.filter((path) => !path.startsWith(`${workingFolder}/`)),
    ],
    deny: [...hide.filter((names) => !isReadByItself(names)), ...outside].map(absolute),
    linked: links.found.filter(isInWork).map((names) => names.slice(prefix.length)),
    hidden: closed.map(shownPlace),
  };
}

function notShown(problem: string): GuardedNeighbour {
  return { neighbours: [], hide: [], deny: [], linked: [], hidden: [], problem };
}

import { pathRefusal } from '@bulkhead/protocol';
import type { Overlay } from '@bulkhead/shield/analysis';
import { type ClosedPlaces, isClosedPlace, isMarkedHome } from '../paths/closed-places.ts';
import { isWithin, openLevels } from '../paths/levels.ts';
import {
  type CheckedFolder,
  type CheckGround,
  CLOSED,
  listedIn,
  type PlaceMeanings,
} from '../toolchains/folder-check.ts';

/** The places that decide which folders may be shown beside or around a working folder. */
export interface BesideGround extends CheckGround {
  readonly workingFolder: string;
  readonly closed: ClosedPlaces;
}

const OTHERS_MAY_WRITE = 0o002n;
/** A box has its own. */
const TEMPORARY = ['/tmp', '/var/tmp'];

/**
 * Decides whether commands may be shown a folder beside or around their working folder, and names the
 * object that was looked at: only that may be mounted.
 *
 * @param path absolute, without links
 * @returns the folder, or why not: the rest of a sentence that begins with its path
 */
export function checkBeside(
  path: string,
  ground: BesideGround,
  meanings: PlaceMeanings,
): CheckedFolder | string {
  const { home, workingFolder, closed } = ground;
  if (isWithin(path, workingFolder)) return 'lies in the working folder';
  if (isTemporary(path, workingFolder)) return 'holds temporary files, and commands have their own';
  if (isClosedPlace(path, closed))
    return 'is a home folder, a place of the system or of Bulkhead, or holds one';
  // A person who works among private files has chosen that.
  const own = meanings.meaningOfPath(workingFolder, home);
  const isClosed = (one: Overlay) => CLOSED.includes(one) && !(one === 'private' && own.includes(one));
  const names = path.split('/').slice(1);
  if (pathRefusal(names, 'read') !== undefined || meanings.meaningOfPath(path, home).some(isClosed))
    return 'may hold credentials or private files';
  using stack = new DisposableStack();
  try {
    const last = openLevels(path, stack).at(-1);
    const work = openLevels(workingFolder, stack).at(-1);
    if (last === undefined || work === undefined) return 'is not there';
    const { uid, mode, ino } = last.folder.stat();
    const owners = [0n, BigInt(process.geteuid?.() ?? -1), work.folder.stat().uid];
    if (!owners.includes(uid) || (mode & OTHERS_MAY_WRITE) !== 0n)
      return 'belongs to another user, or can be changed by all';
    if (isMarkedHome(last.folder)) return 'is a home folder';
    const listed = listedIn(last, home, meanings);
    if (listed !== undefined) return `holds ${listed}`;
    return { path, inode: ino, identity: last.folder.lastingId() };
  } catch {
    return 'is not there, or has a link in its path';
  }
}

/**
 * The same for a folder around the working folder that commands may change: it belongs to the same user.
 */
export function checkWritten(
  path: string,
  ground: BesideGround,
  meanings: PlaceMeanings,
): CheckedFolder | string {
  const { workingFolder } = ground;
  if (path === workingFolder || !isWithin(workingFolder, path))
    return 'does not lie around the working folder';
  const checked = checkBeside(path, ground, meanings);
  if (typeof checked === 'string') return checked;
  using stack = new DisposableStack();
  try {
    const levels = openLevels(workingFolder, stack).filter((level) => isWithin(level.path, path));
    const [first, ...others] = levels.map(({ folder }) => folder.stat());
    const isSame = others.every(({ uid, dev }) => uid === first?.uid && dev === first.dev);
    return isSame
      ? checked
      : 'belongs to another user than the working folder, or lies on another file system';
  } catch {
    return 'is not there, or has a link in its path';
  }
}

/** True for a place of temporary files, unless the working folder lies in the same one. */
export function isTemporary(path: string, workingFolder: string): boolean {
  const place = TEMPORARY.find((one) => isWithin(path, one));
  if (place === undefined) return false;
  const [top = ''] = path.slice(place.length + 1).split('/');
  return top === '' || !isWithin(workingFolder, `${place}/${top}`);
}

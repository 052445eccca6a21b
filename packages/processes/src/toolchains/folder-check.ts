import type { BigIntStats } from 'node:fs';
import { Descriptor, lookAtEntry } from '@bulkhead/files';
import { pathRefusal } from '@bulkhead/protocol';
import type { Neighbour } from '@bulkhead/sandbox';
import type { Overlay } from '@bulkhead/shield/analysis';
import { isWithin, type Level, openLevels } from '../paths/levels.ts';
import { isShelf } from './folders-of-program.ts';

/** The places that decide which folders of programs may be shown. All absolute, without links. */
export interface CheckGround {
  readonly home: string;
  /** Bulkhead's own home. */
  readonly own: string;
  /** Absent where folders are looked for before any command. */
  readonly workingFolder?: string;
}

/** The catalogue of sensitive places: the meaning of paths. */
export interface PlaceMeanings {
  meaningOfPath(path: string, home: string): readonly Overlay[];
  listedPlacesIn(folder: string, home: string, overlays: readonly Overlay[]): readonly string[];
}

/** A folder that may be shown, as it is now. */
export interface CheckedFolder extends Neighbour {
  readonly identity: string;
}

/** Meanings of places that are never shown. */
export const CLOSED: readonly Overlay[] = [
  ...(['credentials', 'possible-credentials', 'private', 'history', 'own'] as const),
  ...(['security', 'accounts', 'sockets', 'devices', 'kernel', 'logs'] as const),
];
const OTHERS_MAY_WRITE = 0o002n;
const GROUP_MAY_WRITE = 0o020n;

/**
 * Decides whether a folder of programs may be shown to commands, and names the object that was
 * looked at: only that may be mounted.
 *
 * @param path absolute, without links
 * @returns the folder, or why not: the rest of a sentence that begins with its path
 */
export function checkFolder(
  path: string,
  ground: CheckGround,
  meanings: PlaceMeanings,
): CheckedFolder | string {
  const { home, own, workingFolder } = ground;
  if (!isWithin(path, home) || isShelf(path, home)) return 'holds more than programs';
  if (isWithin(path, own) || isWithin(own, path)) return 'belongs to Bulkhead, or holds what does';
  if (workingFolder !== undefined && (isWithin(path, workingFolder) || isWithin(workingFolder, path)))
    return 'lies in the working folder or around it';
  const names = path.split('/').slice(1);
  const isClosed = (one: Overlay) => CLOSED.includes(one);
  if (pathRefusal(names, 'read') !== undefined || meanings.meaningOfPath(path, home).some(isClosed))
    return 'may hold credentials or private files';
  using stack = new DisposableStack();
  try {
    const levels = openLevels(path, stack);
    const top = levels.find((level) => level.path === home);
    const last = levels.at(-1);
    if (top === undefined || last === undefined) return 'is not there';
    const owners = [0n, BigInt(process.geteuid?.() ?? -1), top.folder.stat().uid];
    const open = levels.find((one) => isWithin(one.path, home) && !isSafe(one.folder.stat(), owners));
    if (open !== undefined) return `can be changed by other users, in ${open.path}`;
    const listed = listedIn(last, home, meanings);
    if (listed !== undefined) return `holds ${listed}`;
    const { folder } = last;
    return { path, inode: folder.stat().ino, identity: folder.lastingId() };
  } catch {
    return 'is not there, or has a link in its path';
  }
}

/** True if only the person and the system can change it. @param owners trusted user numbers */
export function isSafe({ uid, gid, mode }: BigIntStats, owners: readonly bigint[]): boolean {
  // The group of the same number has one member: the person.
  const group = (mode & GROUP_MAY_WRITE) === 0n || gid === uid;
  return owners.includes(uid) && group && (mode & OTHERS_MAY_WRITE) === 0n;
}

/** A place of the catalogue that exists in a folder. */
export function listedIn(level: Level, home: string, meanings: PlaceMeanings): string | undefined {
  const { path } = level;
  // The catalogue lists places of a home.
  if (!isWithin(path, home)) return undefined;
  return meanings.listedPlacesIn(path, home, CLOSED).find((place) => exists(level, path, place));
}

function exists({ folder }: Level, path: string, place: string): boolean {
  using stack = new DisposableStack();
  let at = folder;
  const names = place.slice(path.length + 1).split('/');
  for (const [index, name] of names.entries()) {
    const entry = Buffer.from(name);
    const facts = lookAtEntry(at, entry);
    if (facts === undefined) return false;
    if (index === names.length - 1) return true;
    if (!facts.isDirectory()) return false;
    at = stack.use(Descriptor.ofEntry(at, entry));
  }
  return false;
}

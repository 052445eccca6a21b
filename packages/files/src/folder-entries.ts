import {
  accessSync,
  type BigIntStats,
  constants,
  type Dirent,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { type Descriptor, entryPath, numbersOf, secondsOf } from './descriptor.ts';
import { systemCode } from './file-error.ts';

/**
 * Operations on the entries of an open folder. Names are one component each and no link is
 * followed, so none can reach another folder. All throw the system's error, with `code`.
 */

export function listEntries(folder: Descriptor): Dirent<Buffer>[] {
  return readdirSync(folder.path, { encoding: 'buffer', withFileTypes: true });
}

export function listNames(folder: Descriptor): Buffer[] {
  return readdirSync(folder.path, { encoding: 'buffer' });
}

/**
 * @returns undefined if nothing has the name. Describes what exists; never decide by it what to
 *   open
 */
export function lookAtEntry(folder: Descriptor, name: Buffer): BigIntStats | undefined {
  return lstatSync(entryPath(folder, name), { bigint: true, throwIfNoEntry: false });
}

/** Text of a symbolic link. */
export function readLinkEntry(folder: Descriptor, name: Buffer): Buffer {
  return readlinkSync(entryPath(folder, name), { encoding: 'buffer' });
}

export function makeFolderEntry(folder: Descriptor, name: Buffer): void {
  mkdirSync(entryPath(folder, name));
}

/** No right to read the folder, or a file system that flushes no folders. */
const CANNOT_FLUSH: readonly string[] = ['EACCES', 'EINVAL', 'EPERM'];

/**
 * Brings the names in a folder to the disk: those made, renamed and removed. A folder that this user may change but not read can't be
 * flushed: it is left to the system.
 */
export function flushEntries(folder: Descriptor): void {
  try {
    using readable = folder.openContent();
    fsyncSync(readable.fd);
  } catch (error) {
    if (!CANNOT_FLUSH.includes(systemCode(error) ?? '')) throw error;
  }
}

/** Puts an entry in the place of another one. */
export function moveEntryOver(folder: Descriptor, from: Buffer, to: Buffer): void {
  renameSync(entryPath(folder, from), entryPath(folder, to));
}

/** Gives a file a second name, which must be free. */
export function linkEntry(folder: Descriptor, from: Buffer, to: Buffer): void {
  linkSync(entryPath(folder, from), entryPath(folder, to));
}

export function removeEntry(folder: Descriptor, name: Buffer): void {
  unlinkSync(entryPath(folder, name));
}

/** Fails if the folder holds anything. */
export function removeFolderEntry(folder: Descriptor, name: Buffer): void {
  rmdirSync(entryPath(folder, name));
}

/** Makes a symbolic link at a free name. */
export function makeLinkEntry(folder: Descriptor, name: Buffer, target: Buffer): void {
  symlinkSync(target, entryPath(folder, name));
}

/** Gives an entry to a user and group, a symbolic link itself. @param owner `UID:GID` */
export function setEntryOwner(folder: Descriptor, name: Buffer, owner: string): void {
  lchownSync(entryPath(folder, name), ...numbersOf(owner));
}

/** Sets the time of the last change of an entry, a symbolic link's own included. @param time nanoseconds since 1970 */
export function setEntryTime(folder: Descriptor, name: Buffer, time: bigint): void {
  const seconds = secondsOf(time);
  lutimesSync(entryPath(folder, name), seconds, seconds);
}

/** Fails unless entries may be made and removed by this process. */
export function requireChangeable(folder: Descriptor): void {
  accessSync(folder.path, constants.W_OK | constants.X_OK);
}

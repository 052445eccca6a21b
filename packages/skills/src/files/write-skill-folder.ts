import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flushFolderSync } from '@bulkhead/files';
import type { FileSet } from './file-set.ts';

/** Begins the names of folders that are on their way in or out: no skill's name does. */
const PASSING = '.passing-';

/**
 * Puts a skill in its place, whole or not at all: everything is written into a fresh private folder
 * beside it, which then takes its name. Only paths that a `FileSet` has accepted are written.
 *
 * @param root folder of skills, created if missing; no one else may write to it
 * @param name as `isSkillName` allows
 * @returns true if another one was in its place
 * @throws the system's error; then nothing has changed
 */
export function writeSkillFolder(root: string, name: string, files: FileSet): boolean {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const fresh = passingName(root);
  mkdirSync(fresh, { mode: 0o700 });
  try {
    for (const { path, executable, bytes } of files.files) {
      const target = join(fresh, path);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeNew(target, bytes, executable ? 0o700 : 0o600);
    }
    for (const folder of foldersOf(fresh, files)) flushFolderSync(folder);
    const replaced = swapIn(root, name, fresh);
    flushFolderSync(root);
    return replaced;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Takes a skill away.
 *
 * @returns false if there was none
 * @throws the system's error
 */
export function removeSkillFolder(root: string, name: string): boolean {
  const place = join(root, name);
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) return false;
  const leaving = passingName(root);
  renameSync(place, leaving);
  flushFolderSync(root);
  rmSync(leaving, { recursive: true, force: true });
  return true;
}

/** The fresh folder, and each that was made in it. */
function foldersOf(fresh: string, { files }: FileSet): ReadonlySet<string> {
  const folders = new Set([fresh]);
  for (const { path } of files) {
    for (let folder = dirname(join(fresh, path)); !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  return folders;
}

function swapIn(root: string, name: string, fresh: string): boolean {
  const place = join(root, name);
  const before = lstatSync(place, { throwIfNoEntry: false });
  if (before === undefined) {
    renameSync(fresh, place);
    return false;
  }
  const leaving = passingName(root);
  renameSync(place, leaving);
  try {
    renameSync(fresh, place);
  } catch (cause) {
    renameSync(leaving, place);
    throw cause;
  }
  rmSync(leaving, { recursive: true, force: true });
  return true;
}

function passingName(root: string): string {
  return join(root, `${PASSING}${randomBytes(8).toString('hex')}`);
}

function writeNew(path: string, bytes: Uint8Array, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, mode);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

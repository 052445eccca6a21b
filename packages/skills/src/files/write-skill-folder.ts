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

/** Prefix of temporary folders during installation and removal; no skill name has it. */
const PASSING = '.passing-';

/**
 * Installs a skill atomically: writes everything into a fresh private folder beside it, which then
 * takes its name. Writes only paths that a `FileSet` has accepted.
 *
 * @param root folder of skills, created if missing; no one else may write to it
 * @param name as `isSkillName` allows
 * @returns true if it replaced another skill
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
 * Removes a skill.
 *
 * @returns false if it did not exist
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

/** The fresh folder, and every folder created in it. */
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

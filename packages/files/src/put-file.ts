import { closeSync, constants, fsync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Name of an unfinished file beside its place. */
const draftOf = (path: string): string => `${path}.new`;

/**
 * Replaces a whole file, in a folder that only this user can write: written beside it, flushed,
 * renamed, and the folder flushed. When it returns, the file is on disk; readers see the old
 * content or the new one, also after a power cut. Two concurrent calls for one path would use the
 * same draft.
 *
 * @param mode permissions of the new file
 * @throws the system's error; then the old file is in its place, or the new one, and no draft is
 *   left
 */
export function putFileSync(path: string, content: string | Uint8Array, mode = 0o600): void {
  const draft = draftOf(path);
  try {
    rmSync(draft, { force: true });
    writeFlushed(draft, content, mode);
    renameSync(draft, path);
    flushFolderSync(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeFlushed(path: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(path, NEW_FILE, mode);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The same without blocking.
 *
 * @param first has to be on the disk before this file is in its place; it is waited for while the content is flushed
 */
export async function putFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, first }: { readonly mode?: number; readonly first?: Promise<void> | undefined } = {},
): Promise<void> {
  const draft = draftOf(path);
  const written = writeDraft(draft, content, mode);
  try {
    await Promise.all([first, written]);
    await rename(draft, path);
    await flushFolder(dirname(path));
  } catch (error) {
    await written.catch(() => {});
    // On a full disk a partial file would use up the rest.
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  await rm(path, { force: true });
  await using file = await open(path, NEW_FILE, mode);
  await file.writeFile(content);
  await file.sync();
}

/** Brings the names in a folder to the disk: those made, renamed and removed. */
export function flushFolderSync(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The same without blocking. */
export async function flushFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync();
}

/** Brings an open file or folder to the disk, without blocking. */
export async function flushOpen(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    fsync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

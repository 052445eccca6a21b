import { unlinkSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Files of the chronicle itself, in a private folder of the engine's home that no tool and no command can write to. */

/**
 * Puts a file there whole and on the disk, or not at all.
 *
 * @param first has to be on the disk before this file is there; it is waited for while the text is flushed
 */
export async function putOwnFile(path: string, text: string, first?: Promise<void>): Promise<void> {
  const fresh = `${path}.new`;
  const draft = writeFlushed(fresh, text);
  try {
    await Promise.all([first, draft]);
  } catch (error) {
    await draft.catch(() => {});
    // On a full disk half a file would take the last of it.
    await unlink(fresh).catch(() => {});
    throw error;
  }
  await rename(fresh, path);
  await flushOwnFolder(dirname(path));
}

async function writeFlushed(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}

/** Makes the names in a folder durable. */
export async function flushOwnFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

export function removeOwnFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

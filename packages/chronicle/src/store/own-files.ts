import { closeSync, fsync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Files of the chronicle itself, in a private folder of the engine's home that no tool and no command can write to. */

const flush = promisify(fsync);

/** Puts a file there whole and on the disk, or not at all. */
export function putOwnFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  const descriptor = openSync(fresh, 'w', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, path);
  syncOwnFolder(dirname(path));
}

/** Makes the names in a folder durable. */
function syncOwnFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names in a folder durable, off the main thread. */
export async function flushOwnFolder(path: string): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    await flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function removeOwnFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Puts `text` in the place of a file, for its owner only (0600). Whoever reads it sees the old text or the new one,
 * also after a power cut. Callers hold the lock of the home: two at once would use the same temporary name.
 *
 * @throws BulkheadError `config_invalid` if a link or something else stands there; `not_available` if it can't be written
 */
export function replaceFile(path: string, text: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    const what = found.isSymbolicLink() ? 'a symbolic link' : 'no file';
    throw new BulkheadError('config_invalid', `${path} is ${what}, and is left as it is`, {
      fix: 'Edit the file it leads to by hand, or put a file of your own there.',
    });
  }
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true });
    writeNew(temporary, text);
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (cause) {
    rmSync(temporary, { force: true });
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new BulkheadError('not_available', `${path} can't be written (${reason})`, {
      fix: 'Nothing was changed. Check the free space and who owns the folder.',
      cause,
    });
  }
}

function writeNew(path: string, text: string): void {
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

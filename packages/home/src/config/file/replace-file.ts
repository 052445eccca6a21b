import { lstatSync } from 'node:fs';
import { putFileSync } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * Replaces a file with `text`, for its owner only (0600). Readers see the old text or the new one,
 * also after a power cut. Callers hold the lock of the home: two at once would use the same
 * temporary name.
 *
 * @throws BulkheadError `config_invalid` if the path is a link or another kind of object;
 *   `not_available` if it can't be written
 */
export function replaceFile(path: string, text: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    const what = found.isSymbolicLink() ? 'a symbolic link' : 'no file';
    throw new BulkheadError('config_invalid', `${path} is ${what}, and is left as it is`, {
      fix: 'Edit the file it leads to by hand, or put a file of your own there.',
    });
  }
  try {
    putFileSync(path, text);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new BulkheadError('not_available', `${path} can't be written (${reason})`, {
      fix: 'Nothing was changed. Check the free space and who owns the folder.',
      cause,
    });
  }
}

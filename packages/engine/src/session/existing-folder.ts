import { realpathSync, statSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * The folder's real path: what is granted to boxes must be the object, not a name that can be swapped.
 *
 * @throws BulkheadError `usage` for a folder that isn't there or can't be read
 */
export function existingFolder(path: string): string {
  try {
    const folder = realpathSync(path);
    if (statSync(folder).isDirectory()) return folder;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError('usage', `the working folder ${path} can't be used (${reason})`, {
      fix: 'Give an existing folder you may read, with --cwd.',
      cause,
    });
  }
  throw new BulkheadError('usage', `the working folder ${path} is not a folder`, {
    fix: 'Give a folder with --cwd.',
  });
}

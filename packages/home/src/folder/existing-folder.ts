import { realpathSync, statSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not read it',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
};

/**
 * The folder's real path: boxes must be granted the object, not a name that can be redirected.
 *
 * @param how the user can name it, for the remedy
 * @throws BulkheadError `usage` for a folder that is missing or can't be read
 */
export function existingFolder(path: string, how = 'with --cwd'): string {
  try {
    const folder = realpathSync(path);
    if (statSync(folder).isDirectory()) return folder;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError('usage', `the folder ${path} can't be used: ${REASONS[reason] ?? reason}`, {
      fix: `Give an existing folder you may read, ${how}.`,
      cause,
    });
  }
  throw new BulkheadError('usage', `${path} is not a folder`, {
    fix: `Give a folder, ${how}.`,
  });
}

import { lstatSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { makeFolder } from '../../folder/make-folder.ts';
import { diskReason } from '../../storage/disk-reason.ts';
import { diskFix } from '../../storage/storage.ts';

const WAIT_MS = 10_000;

/**
 * Lets one process at a time change user files in a home, so that no change overwrites another. The
 * kernel frees the lock when its holder dies. Makes the home, private, if missing.
 *
 * @throws BulkheadError `busy` after 10 s, `store_failed` if its disk is full or fails,
 *   `not_available` if the home belongs to another user or can't be made
 */
export function lockHome(layout: HomeLayout): Disposable {
  for (const folder of [layout.root, layout.state, layout.run]) ownFolder(folder, layout.root);
  try {
    const database = new DatabaseSync(`${layout.run}/settings.lock`, { timeout: WAIT_MS });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      database.close();
      throw cause;
    }
    return { [Symbol.dispose]: () => database.close() };
  } catch (cause) {
    const reason = diskReason(cause);
    if (reason !== undefined) {
      throw new BulkheadError('store_failed', `the settings in ${layout.root} can't be changed: ${reason}`, {
        fix: diskFix(reason),
        cause,
      });
    }
    throw new BulkheadError('busy', `the settings in ${layout.root} can't be locked for a change`, {
      fix: 'Somebody else may be changing them: try again in a moment.',
      cause,
    });
  }
}

/** The owner of a folder can replace its content. */
function ownFolder(folder: string, root: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new BulkheadError('not_available', `${folder} can't be made`, {
      fix: 'Point BULKHEAD_HOME to a folder you may write.',
      cause,
    });
  }
  // The home itself may be a link; folders in it may not.
  const { uid, mode } = lstatSync(folder === root ? realpathSync(folder) : folder);
  if (uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0) return;
  throw new BulkheadError('not_available', `${folder} belongs to another user, or others can write there`, {
    fix: 'Point BULKHEAD_HOME to a folder of your own, mode 0700.',
  });
}

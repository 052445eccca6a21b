import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { isAlive } from './is-alive.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Makes a folder for this process's fetches. Folders of dead processes are removed first.
 *
 * @returns absolute path of a fresh folder, private to the user, in the home; its maker removes
 *   it
 * @throws BulkheadError `not_available` if the home can't be written
 */
export function makeFetchFolder(layout: HomeLayout): string {
  try {
    makeFolder(layout.fetched);
    clearFetchFolders(layout);
    return realpathSync(mkdtempSync(join(layout.fetched, `${process.pid}-`)));
  } catch (cause) {
    throw new BulkheadError('not_available', `no folder can be made in ${layout.fetched}`, {
      fix: 'See whether the disk is full, and whether that folder is yours to write to.',
      cause,
    });
  }
}

/**
 * Removes the folders of processes that were killed while they fetched. A live process keeps its
 * own.
 */
export function clearFetchFolders({ fetched }: HomeLayout): void {
  for (const name of namesIn(fetched)) {
    const [, pid] = /^(\d{1,10})-/.exec(name) ?? [];
    if (pid !== undefined && isAlive(Number(pid))) continue;
    try {
      rmSync(join(fetched, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // A child of the dead process still writes there: a later call removes it.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolderSync } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { isWithin } from '../paths/levels.ts';

/** Name of a scratch folder outside the home. */
const SCRATCH_NAME = '.bulkhead-scratch';

/**
 * The place of a command's scratch folder: on the file system of its working folder, because
 * changes move between them, and never inside it, because commands must not see it. The home if
 * possible, else the nearest folder above the working folder where this user may have one.
 *
 * @param homeScratch existing folder of the home; without links in it
 * @returns an existing private folder
 * @throws BulkheadError `not_available` if there is no such place
 */
export function scratchPlace(workingFolder: string, homeScratch: string): string {
  const device = statSync(workingFolder).dev;
  if (!isWithin(homeScratch, workingFolder) && statSync(homeScratch).dev === device) return homeScratch;
  for (let folder = dirname(workingFolder); ; folder = dirname(folder)) {
    if (statSync(folder).dev !== device) break;
    const place = folder === '/' ? `/${SCRATCH_NAME}` : `${folder}/${SCRATCH_NAME}`;
    if (isPrivateFolder(place)) return place;
    if (folder === '/') break;
  }
  throw noPlace(workingFolder, homeScratch);
}

/** Makes it if missing. A folder of another user, or one that others may enter, is refused. */
function isPrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    // It may lie in a repository.
    writeFileSync(`${path}/.gitignore`, '*\n', { flag: 'wx', mode: 0o600 });
    flushFolderSync(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false;
  }
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

function noPlace(workingFolder: string, homeScratch: string): BulkheadError {
  const why = isWithin(homeScratch, workingFolder)
    ? 'Bulkhead’s home lies inside that folder'
    : 'Bulkhead’s home lies on another disk';
  return new BulkheadError(
    'not_available',
    `changes in ${workingFolder} have no place to wait until they are judged (${why}, and no folder above it can be used)`,
    { fix: 'Work in a folder further down, or set BULKHEAD_HOME to a folder on the same disk, beside it' },
  );
}

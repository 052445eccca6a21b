import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * The name that no tool may read or write and no box shows, at any depth (`protected-names.ts`): an
 * agent that works above or beside it can neither make one nor read it. An agent could create any
 * other name in `/tmp`.
 */
const PROTECTED_NAME = '.bulkhead-scratch';

/**
 * The private folders outside a home in which an engine that can't write to the home may have its
 * socket, the best first. Named after the home's real path, so that engines and clients find the
 * same one with any environment.
 */
function foldersOf(root: string, userId: number): readonly string[] {
  const digest = createHash('sha256').update(realPath(root)).digest('hex').slice(0, 16);
  return [`/run/user/${userId}`, '/dev/shm', '/tmp'].map(
    (base) => `${base}/${PROTECTED_NAME}/reading-${digest}`,
  );
}

/**
 * The existing ones. Others may make folders beside them, so only private ones of this user count.
 */
export function findRuntimeFolders(root: string): readonly string[] {
  const userId = process.getuid?.();
  if (userId === undefined) return [];
  return foldersOf(root, userId).filter(
    (folder) => isPrivate(dirname(folder), userId) && isPrivate(folder, userId),
  );
}

/** @throws BulkheadError `not_available` if none can be made */
export function makeRuntimeFolder(root: string): string {
  const userId = process.getuid?.() ?? 0;
  const problems: string[] = [];
  for (const folder of foldersOf(root, userId)) {
    try {
      for (const path of [dirname(folder), folder])
        if (!isPrivate(path, userId)) mkdirSync(path, { mode: 0o700 });
      return folder;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new BulkheadError(
    'not_available',
    `no private folder can be made outside the home: ${problems.join('; ')}`,
    { fix: 'Free some space on one of these disks, or remove what has that name there.' },
  );
}

function isPrivate(folder: string, userId: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === userId && (stat.mode & 0o077) === 0;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

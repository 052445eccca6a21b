import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** Where a folder outside the home may be made, the best first. The same for engines and clients, whatever their environment says. */
function basesOf(userId: number): readonly string[] {
  return [`/run/user/${userId}`, '/dev/shm', '/tmp'];
}

/**
 * The private folders outside a home in which an engine that can't write to the home may have its socket. Named after the home's real path
 * and the user, so that engines and clients find the same.
 */
function foldersOf(root: string, userId: number): readonly string[] {
  const digest = createHash('sha256').update(realPath(root)).digest('hex').slice(0, 16);
  return basesOf(userId).map((base) => `${base}/bulkhead-${userId}-${digest}`);
}

/** The one that is there; others may make folders beside it, so it counts only if it is the user's own and private. */
export function findRuntimeFolder(root: string): string | undefined {
  const userId = process.getuid?.();
  if (userId === undefined) return undefined;
  return foldersOf(root, userId).find((folder) => isPrivate(folder, userId));
}

/** @throws BulkheadError `not_available` if none can be made */
export function makeRuntimeFolder(root: string): string {
  const userId = process.getuid?.() ?? 0;
  const problems: string[] = [];
  for (const folder of foldersOf(root, userId)) {
    try {
      if (!isPrivate(folder, userId)) mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new BulkheadError(
    'not_available',
    `no private folder can be made outside the home: ${problems.join('; ')}`,
    {
      fix: 'Free some space on one of these disks.',
    },
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

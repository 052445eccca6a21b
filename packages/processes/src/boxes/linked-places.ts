import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { objectId } from '@bulkhead/files';
import { outOfReach } from './guarded-places.ts';
import { isText, walkedPath, walkFolder } from './walk-folder.ts';

/** Other names of protected files in a folder. */
export interface LinkedPlaces {
  /** Components of each below the folder. */
  readonly found: readonly (readonly string[])[];
  /** False if a part of the folder could not be checked. */
  readonly whole: boolean;
}

/**
 * Finds hard links in a working folder to files that commands must not see: protected ones outside
 * it, and hidden ones in it (FT13). Both are checked anew for each command. The folder is only
 * searched if such a file has an unexplained link, which is rare, and only until all are found.
 *
 * @throws BulkheadError `blocked` if one can't be hidden, for its path is no UTF-8
 * @param outside identities of protected files, each with the number of its names elsewhere
 * @param hidden components of files in the folder that are hidden by name
 */
export async function linkedPlaces(
  folder: string,
  outside: ReadonlyMap<string, number>,
  hidden: readonly (readonly string[])[],
): Promise<LinkedPlaces> {
  const missing = new Map(outside);
  for (const names of hidden) {
    const stat = fileAt(folder, names);
    if (stat === undefined || stat.nlink < 2n) continue;
    const id = objectId(stat);
    missing.set(id, (missing.get(id) ?? Number(stat.nlink)) - 1);
  }
  const hiddenPaths = new Set(hidden.map((names) => names.join('/')));
  let left = [...missing.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
  const found: (readonly string[])[] = [];
  if (left === 0) return { found, whole: true };
  const whole = await walkFolder(
    folder,
    (entry) => {
      const { names, kind, isNamed } = entry;
      if (left === 0) return false;
      if (kind === 'folder') return true;
      if (hiddenPaths.has(names.join('/'))) return false;
      const stat = lookAt(walkedPath(entry));
      if (stat !== undefined && missing.has(objectId(stat))) {
        if (!isNamed || !isText(entry.bytes)) throw outOfReach(folder, [walkedPath(entry)]);
        found.push(names);
        left -= 1;
      }
      return false;
    },
    Number.POSITIVE_INFINITY,
  );
  return { found, whole: whole || left === 0 };
}

function fileAt(folder: string, names: readonly string[]): BigIntStats | undefined {
  return lookAt(Buffer.from(join(folder, ...names)));
}

function lookAt(path: Buffer): BigIntStats | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() === true ? stat : undefined;
  } catch {
    // A command of the same user can't read it either.
    return undefined;
  }
}

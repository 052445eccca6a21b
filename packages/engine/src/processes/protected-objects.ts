import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type HomeLayout, pathRefusal } from '@bulkhead/protocol';

/** More than a home of ours or a person's credentials ever have; beyond it names alone protect. */
const MAX_OBJECTS = 2_000;

/**
 * Identities (`device:inode`) of what no worker may open under any name: Bulkhead's own files, and the credentials at
 * the top of the person's home. A hard link or a bind mount in a working folder shows them under an innocent one (FT13).
 *
 * @param userHome absolute; undefined if there is none
 */
export function protectedObjects(
  layout: Pick<HomeLayout, 'root' | 'outputs'>,
  userHome: string | undefined,
): readonly string[] {
  const credentials = (userHome === undefined ? [] : entriesOf(userHome))
    .filter(({ name }) => pathRefusal([name], 'read') !== undefined)
    .map(({ name }) => join(userHome ?? '', name));
  const found: string[] = [];
  const pending = [...credentials, layout.root].reverse();
  for (let path = pending.pop(); path !== undefined && found.length < MAX_OBJECTS; path = pending.pop()) {
    // A session reads its own outputs, by another root of its grant.
    if (path === layout.outputs) continue;
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined || !(stat.isFile() || stat.isDirectory())) continue;
    found.push(`${stat.dev}:${stat.ino}`);
    if (!stat.isDirectory()) continue;
    const folder = path;
    pending.push(...entriesOf(folder).map(({ name }) => join(folder, name)));
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What this user can't list, a worker of this user can't either.
    return [];
  }
}

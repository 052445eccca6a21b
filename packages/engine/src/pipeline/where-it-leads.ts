import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/** As many links as the kernel follows in one name (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * The path that a name leads to now: every link followed, `..` taken where the walk then stands, also where the last
 * of it doesn't exist yet. What is judged must be the object's own name: a link can be called anything.
 *
 * @param folder absolute, itself resolved: where a relative name begins
 * @throws BulkheadError `invalid_arguments` for links that lead in circles
 */
export function whereItLeads(folder: string, name: string): string {
  const pending = name.split('/').reverse();
  let place = name.startsWith('/') ? '/' : folder;
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '' || part === '.') continue;
    const next = part === '..' ? dirname(place) : join(place, part);
    const target = part === '..' ? undefined : linkTarget(next);
    if (target === undefined) {
      place = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new BulkheadError('invalid_arguments', `${name}: too many symbolic links`);
    if (target.startsWith('/')) place = '/';
    pending.push(...target.split('/').reverse());
  }
  return place;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing there.
    return undefined;
  }
}

import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/** As many links as the kernel follows in one name (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * The path that a name leads to now: every link followed, `..` taken where the walk then stands, also where the last
 * of it doesn't exist yet. What is judged must be the object's own name: a link can be called anything. Outside `folder`
 * nothing is looked at: the rest of the name is taken as it is.
 *
 * @param folder absolute, itself resolved: where a relative name begins
 * @throws BulkheadError `invalid_arguments` for links that lead in circles
 */
export function whereItLeads(folder: string, name: string): string {
  const pending = name.split('/').reverse();
  let place = name.startsWith('/') ? '/' : folder;
  let links = 0;
  for (let part = nextPart(pending); part !== undefined; part = nextPart(pending)) {
    const next = part === '..' ? dirname(place) : join(place, part);
    // What lies outside is refused by its name. Looking further would read the machine for the model.
    if (!isOnTheWay(next, folder)) return outside(next, pending.reverse());
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

/** The next component that moves anywhere. */
function nextPart(pending: string[]): string | undefined {
  let part = pending.pop();
  while (part === '' || part === '.') part = pending.pop();
  return part;
}

/** A name outside stays outside: a `..` in what follows must not seem to lead back in. */
function outside(place: string, rest: readonly string[]): string {
  return rest.includes('..') ? place : join(place, ...rest);
}

/** True for places inside `folder` and for the folders that lead to it. */
function isOnTheWay(place: string, folder: string): boolean {
  const [here, home] = [asPrefix(place), asPrefix(folder)];
  return here.startsWith(home) || home.startsWith(here);
}

function asPrefix(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing there.
    return undefined;
  }
}

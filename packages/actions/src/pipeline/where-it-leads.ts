import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';

/** The kernel's limit of links in one name (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * The present target of a name: follows every link, resolves `..` at the place reached so far, and
 * accepts a missing last part. The object's own name must be judged, because a link may have any
 * name. Outside `folder`, nothing is inspected: the rest of the name stays as written.
 *
 * @param folder absolute and resolved: start of a relative name
 * @throws BulkheadError `invalid_arguments` for a cycle of links
 */
export function whereItLeads(folder: string, name: string): string {
  const pending = name.split('/').reverse();
  let place = name.startsWith('/') ? '/' : folder;
  let links = 0;
  for (let part = nextPart(pending); part !== undefined; part = nextPart(pending)) {
    const next = part === '..' ? dirname(place) : join(place, part);
    // A place outside is refused by name. Following it further would read the machine for the
    // model.
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

/** The next component that is not empty or `.`. */
function nextPart(pending: string[]): string | undefined {
  let part = pending.pop();
  while (part === '' || part === '.') part = pending.pop();
  return part;
}

/** A name outside stays outside: a later `..` must not seem to point back inside. */
function outside(place: string, rest: readonly string[]): string {
  return rest.includes('..') ? place : join(place, ...rest);
}

/** True for places inside `folder` and for its parent folders. */
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
    // No link, or missing.
    return undefined;
  }
}

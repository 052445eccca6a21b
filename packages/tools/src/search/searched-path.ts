import { shownName } from '@bulkhead/files';
import { pathRefusal } from '@bulkhead/protocol';

/** A path as ripgrep prints it, relative to its start folder; text for people and models. */
export function shownPath(path: Buffer): string {
  return namesOf(path).map(shownName).join('/');
}

/**
 * True if the content of such a path must not be read [A2]. The start folder's own names were
 * checked when it was opened.
 */
export function isUnreadable(path: Buffer): boolean {
  const names = namesOf(path).map((name) => name.toString('utf8'));
  return pathRefusal(names, 'read') !== undefined;
}

function namesOf(path: Buffer): Buffer[] {
  // latin1 keeps each byte as one character, so text functions can split bytes.
  const names = path.toString('latin1').replace(/^\.\//, '').split('/');
  return names.map((name) => Buffer.from(name, 'latin1'));
}

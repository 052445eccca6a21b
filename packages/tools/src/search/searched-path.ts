import { shownName } from '@bulkhead/files';
import { pathRefusal } from '@bulkhead/protocol';

/** A path as ripgrep prints it, below the folder it was started in; text for people and models. */
export function shownPath(path: Buffer): string {
  return namesOf(path).map(shownName).join('/');
}

/** True if no content may be read at such a path [A2]. The names of the start folder were judged when it was opened. */
export function isUnreadable(path: Buffer): boolean {
  const names = namesOf(path).map((name) => name.toString('utf8'));
  return pathRefusal(names, 'read') !== undefined;
}

function namesOf(path: Buffer): Buffer[] {
  // latin1 keeps each byte as one character, so that text functions can split bytes.
  const names = path.toString('latin1').replace(/^\.\//, '').split('/');
  return names.map((name) => Buffer.from(name, 'latin1'));
}

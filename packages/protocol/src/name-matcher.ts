import { foldName } from './fold-name.ts';

/** A short name of DOS and Windows: up to six characters, a number, an extension of up to three. */
const SHORT_NAME = /^([^.~]{1,6})~\d{1,6}(?:\.([^.]{0,3}))?$/;
/** As above, for more than four similar names: two characters and four digits of a hash. */
const HASHED_SHORT_NAME = /^([^.~]{1,2})[0-9a-f]{4}~\d{1,6}(?:\.([^.]{0,3}))?$/;

/**
 * Matches a name against a list, in every spelling that some file system or reader accepts for it:
 * folded, with `1`, `l` and `i` or `0` and `o` exchanged, as a short name (`GIT~1`), as one of its
 * streams (`.git::$DATA`), or as a part between backslashes.
 *
 * @param names in lower case ASCII
 */
export function nameMatcher(names: Iterable<string>): (name: string) => boolean {
  const known = [...names];
  const whole = new Set(known.map(alike));
  const short = new Set(known.map((name) => shortOf(name, 6)));
  const hashed = new Set(known.map((name) => shortOf(name, 2)));
  return (name) =>
    spellings(name).some(
      (spelling) =>
        whole.has(alike(spelling)) ||
        isShort(SHORT_NAME.exec(spelling), short) ||
        isShort(HASHED_SHORT_NAME.exec(spelling), hashed),
    );
}

function spellings(name: string): readonly string[] {
  const folded = foldName(name);
  if (!folded.includes('\\') && !folded.includes(':')) return [folded];
  return folded.split('\\').map((part) => foldName(part.replace(/(?<=.):.*$/, '')));
}

function alike(folded: string): string {
  return folded.replaceAll(/[1l|]/g, 'i').replaceAll('0', 'o');
}

/** Beginning and extension of a short name: `git.` of `.git`, `my.cnf` of `.my.cnf`. */
function shortOf(name: string, characters: number): string {
  const plain = name.replace(/^\.+/, '').replaceAll(/[ +,;=[\]]/g, '_');
  const dot = plain.lastIndexOf('.');
  const stem = (dot < 0 ? plain : plain.slice(0, dot)).replaceAll('.', '');
  return alike(`${stem.slice(0, characters)}.${dot < 0 ? '' : plain.slice(dot + 1, dot + 4)}`);
}

function isShort(match: RegExpExecArray | null, known: ReadonlySet<string>): boolean {
  return match !== null && known.has(alike(`${match[1]}.${match[2] ?? ''}`));
}

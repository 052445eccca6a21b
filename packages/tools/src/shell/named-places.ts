/** A path that a command or its output names, and the folders that it may be relative to. */
export interface NamedPlace {
  /** As it is written: absolute, or not. */
  readonly path: string;
  /** Relative to the working folder; the first one that fits counts. */
  readonly from: readonly string[];
  /** True if it seems to have been refused as read-only. */
  readonly write?: true;
}

/** Only the beginning of a longer command, and the end of a longer output is searched: errors come last. */
const SEARCHED_LENGTH = 16_384;
/** Places of one command that are looked for. */
const MAX_PLACES = 24;
const LONGEST_PATH = 1_024;
/** How programs report a place that they did not find, or may not write. */
const REPORTS =
  /no such file|not found|n[o']t exist|(?:can['’]?t|cannot|could not|couldn['’]t|unable to) (?:find|open|read|access|stat|resolve|create|mkdir)|not a git repository|does not appear to be|failed to (?:read|open|load)|no rule to make|ENOENT|EROFS|read-only file system/i;
const QUOTED = /(['"`‘“])([^'"`’”\n]{1,1024})['"`’”]/g;
const READ_ONLY = /EROFS|read-only file system/i;
/** Signs between words of a command line, and of an error message. */
const SEPARATORS = /[\s'"`‘’“”=:;|&()<>,{}[\]]+/;

/**
 * Paths that a failed command may have looked for outside its working folder: of its text, those that
 * point out of it, and of its output, those in lines that report a missing place. Both are a hint for
 * a question only: a command chooses what is asked for, and no more.
 */
export function namedPlaces(command: string, output: string): readonly NamedPlace[] {
  const { words, last } = wordsOf(command.slice(0, SEARCHED_LENGTH));
  const lines = output
    .slice(-SEARCHED_LENGTH)
    .split('\n')
    .filter((line) => REPORTS.test(line));
  const from = [...new Set([last, '.'])];
  const isPath = (path: string) => path.length <= LONGEST_PATH && path.includes('/') && !path.includes('\0');
  const inLines = (some: readonly string[]) =>
    some.flatMap((line) => [...quotedIn(line), ...line.split(SEPARATORS)]).filter(isPath);
  const found = new Map<string, NamedPlace>();
  const isRefused = (line: string) => READ_ONLY.test(line);
  for (const path of inLines(lines.filter((line) => !isRefused(line)))) found.set(path, { path, from });
  // A word of the command itself is relative to the folder that it is in by then.
  const isWritten = writtenIn(command.slice(0, SEARCHED_LENGTH));
  for (const word of words)
    if (pointsOut(word.path)) found.set(word.path, isWritten(word.path) ? { ...word, write: true } : word);
  const refused = lines.filter(isRefused);
  // A program may name a place from a folder that the command names.
  const bases = [...from, ...words.filter(({ path }) => pointsOut(path)).map(({ path }) => path)];
  const inRefused = inLines(refused).map((path) => ({ path, from: bases, write: true as const }));
  return [...inRefused, ...found.values()].slice(0, MAX_PLACES);
}

/** Programs that write every place which they name, and redirections. */
const WRITES =
  /(?:^|[;&|\n(]\s*|\s&&\s)(?:mkdir|touch|tee|rm|rmdir|mv|truncate)\b([^;&|\n)]*)|>{1,2}\|?\s*([^\s;&|<>()]+)/g;

function writtenIn(command: string): (path: string) => boolean {
  const texts = [...command.matchAll(WRITES)].map(([, args = '', target = '']) => `${args} ${target}`);
  const words = new Set(texts.flatMap((text) => text.split(SEPARATORS)));
  return (path) => words.has(path);
}

function quotedIn(line: string): readonly string[] {
  return [...line.matchAll(QUOTED)].map(([, , text = '']) => text);
}

/** A word without a path out of the folder can only lead there by a link, which the output then names. */
function pointsOut(word: string): boolean {
  if (word.length > LONGEST_PATH) return false;
  return /^\.\.(?:\/|$)|\/\.\.(?:\/|$)|^\/[^/]/.test(word);
}

/** The words of a command, each with the folder that a `cd` before it leads to. */
function wordsOf(command: string): { readonly words: readonly NamedPlace[]; readonly last: string } {
  let last = '.';
  let before = '';
  const words: NamedPlace[] = [];
  for (const path of command.split(SEPARATORS).filter((word) => word !== '')) {
    words.push({ path, from: [last] });
    if (before === 'cd') last = path.startsWith('/') ? path : `${last}/${path}`;
    before = path;
  }
  return { words, last };
}

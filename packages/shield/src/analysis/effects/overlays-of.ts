import { isKnown, mayBe } from './pattern-text.ts';
import type { Overlay } from './place.ts';
import type { ResolvedPath } from './resolve-path.ts';
import { SENSITIVE_PLACES } from './sensitive-places.ts';

/**
 * A listed place, split at its last name: look-up uses that name, and the names before it must
 * match.
 */
interface Entry {
  readonly overlay: Overlay;
  readonly anchor: 'root' | 'home' | 'any';
  readonly before: readonly string[];
  readonly last: string;
  /** The last name, with a letter for its star: patterns are tested against it. */
  readonly sample: string;
  /** The parts before and after its star. */
  readonly head: string;
  readonly tail: string;
}

interface PlaceIndex {
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  /** With a star in the last name, by the ending after it. */
  readonly byEnding: ReadonlyMap<string, readonly Entry[]>;
  /** With a star in the last name, by the first letter before it. */
  readonly byHead: ReadonlyMap<string, readonly Entry[]>;
  readonly all: readonly Entry[];
}

const INDEX = buildIndex();

/** Endings of public files whose names resemble secret ones. */
const PUBLIC_ENDINGS = ['.pub', '.example', '.sample', '.template', '.dist', '.crt'];
const PUBLIC_NAMES = new Set([
  'known_hosts',
  'known_hosts.old',
  'authorized_keys',
  'authorized_keys2',
  'config',
]);

/**
 * The meaning of a path beyond its location. Names with markers match as patterns, if specific
 * enough.
 *
 * @param path absolute, or the last components of a path with an unknown start
 * @param homes components of the known homes of this machine
 * @param folder overlays of all names but the last, if known
 */
export function overlaysOf(
  path: ResolvedPath,
  homes: readonly (readonly string[])[],
  folder?: ReadonlySet<Overlay>,
): readonly Overlay[] {
  const { names } = path;
  const listed =
    folder === undefined ? listedAmong(path, homes) : listedAmong(path, homes, names.length - 1, folder);
  // The common case: nothing is listed.
  if (listed.size === 0) return [];
  const found = new Set(listed);
  const last = names.at(-1) ?? '';
  if (
    (names.at(-2) === '.ssh' && PUBLIC_NAMES.has(last)) ||
    PUBLIC_ENDINGS.some((ending) => last.endsWith(ending))
  ) {
    found.delete('credentials');
    found.delete('possible-credentials');
  }
  if (found.has('credentials')) found.delete('possible-credentials');
  return [...found];
}

/** Places of any home, named in full, that lie below a folder of it. @param folder its components below the home */
export function listedBelow(
  folder: readonly string[],
  overlays: readonly Overlay[],
): readonly (readonly string[])[] {
  return INDEX.all
    .filter(
      ({ overlay, anchor, last }) => anchor !== 'root' && overlays.includes(overlay) && !last.includes('*'),
    )
    .map(({ before, last }) => [...before, last])
    .filter((names) => names.length > folder.length && folder.every((name, at) => name === names[at]));
}

/** The meanings of all listed places that end in a name. */
export function listedNames(name: string): readonly Overlay[] {
  return meantByName(name.toLowerCase()).map(({ overlay }) => overlay);
}

const NOTHING: ReadonlySet<Overlay> = new Set();

/**
 * Returns the overlays listed for the names of a path, before public files are removed.
 *
 * @param from index of the first name to check
 * @param before overlays listed for the earlier names
 */
export function listedAmong(
  path: ResolvedPath,
  homes: readonly (readonly string[])[],
  from = 0,
  before: ReadonlySet<Overlay> = NOTHING,
): ReadonlySet<Overlay> {
  const { names } = path;
  let found: Set<Overlay> | undefined;
  for (let at = from; at < names.length; at += 1) {
    for (const entry of meantAt(names, at, homes)) {
      if ((found ?? before).has(entry.overlay) || !agrees(entry, path, at, homes)) continue;
      found ??= new Set(before);
      found.add(entry.overlay);
    }
  }
  return found ?? before;
}

/** The listed places that a path may mean by one of its names. */
function meantAt(
  names: readonly string[],
  at: number,
  homes: readonly (readonly string[])[],
): readonly Entry[] {
  const name = names[at] ?? '';
  const key = name.toLowerCase();
  if (isKnown(name)) return meantByName(key);
  return HIDDEN_ONLY.test(name) && isHome(names.slice(0, at), homes) ? hiddenAtHome(name) : meantBy(key);
}

/** `.*`, `.[!.]*`, `.??*`: match all names with a leading dot. */
const HIDDEN_ONLY = /^\.[\uE000-\uE002]+$/;

/**
 * Programs keep settings and secrets there, so reading all hidden files of a home reads secrets.
 */
function hiddenAtHome(pattern: string): readonly Entry[] {
  return INDEX.all.filter(
    ({ anchor, before, last, sample }) =>
      anchor !== 'root' && before.length === 0 && last.startsWith('.') && mayBe(pattern, sample),
  );
}

const NONE: readonly Entry[] = [];

/** @param key in small letters, known in full */
function meantByName(key: string): readonly Entry[] {
  const exact = INDEX.byName.get(key) ?? NONE;
  const headed = fitting(INDEX.byHead.get(key.charAt(0)), key);
  const dot = key.lastIndexOf('.');
  const ended = dot < 0 ? NONE : fitting(INDEX.byEnding.get(key.slice(dot)), key);
  return headed.length + ended.length === 0 ? exact : [...exact, ...headed, ...ended];
}

/** Allocates no list when nothing matches, which is nearly always. */
function fitting(entries: readonly Entry[] | undefined, key: string): readonly Entry[] {
  return entries?.some((entry) => fits(entry, key)) === true
    ? entries.filter((entry) => fits(entry, key))
    : NONE;
}

const MIN_LETTERS = 2;
const MIN_SINGLES = 4;
const ENDING_ONLY = /^[\uE000-\uE002]+(\.\w+)$/;

/**
 * Returns the entries that a pattern targets: those of which it states half of the letters, or two
 * letters where the folder is fully named. `*.pem` targets entries listed by ending; `*.xml` does
 * not target a single name with that ending.
 */
function meantBy(pattern: string): readonly Entry[] {
  const letters = pattern.replaceAll(/[\uE000-\uE002]/g, '').length;
  const ending = ENDING_ONLY.exec(pattern)?.[1];
  if (ending !== undefined) return INDEX.byEnding.get(ending) ?? NONE;
  if (letters < MIN_LETTERS) {
    const singles = letters === 0 && pattern.length >= MIN_SINGLES && /^\uE002+$/.test(pattern);
    return singles ? INDEX.all.filter(({ last }) => last.length === pattern.length) : [];
  }
  return INDEX.all.filter(({ last, sample, before, anchor }) => {
    const named = anchor === 'root' && before.length > 0;
    return (named || letters * 2 >= last.length) && mayBe(pattern, sample);
  });
}

function agrees(
  { anchor, before }: Entry,
  path: ResolvedPath,
  at: number,
  homes: readonly (readonly string[])[],
): boolean {
  const start = at - before.length;
  if (start < 0) return false;
  const same = before.every((name, index) => alike(name, path.names[start + index] ?? ''));
  if (!same) return false;
  if (anchor === 'root') return start === 0 || (!path.anchored && at > 0);
  if (anchor === 'any') return true;
  return isHome(path.names.slice(0, start), homes) || (!path.anchored && start <= 1);
}

/** Compares a parent folder's name: a pattern matches anything it can stand for. */
function alike(listed: string, name: string): boolean {
  if (listed === '*') return true;
  const key = name.toLowerCase();
  return isKnown(name) ? listed === key : mayBe(key, listed);
}

function fits({ head, tail }: Entry, name: string): boolean {
  return name.length > head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** `/home/x`, `/Users/x`, `/root`, and the known homes. */
function isHome(names: readonly string[], homes: readonly (readonly string[])[]): boolean {
  const [first] = names;
  if (names.length === 1) return first === 'root';
  if (names.length === 2 && (first === 'home' || first === 'Users')) return true;
  return homes.some(
    (home) => home.length === names.length && home.every((name, index) => name === names[index]),
  );
}

function buildIndex(): PlaceIndex {
  const all = SENSITIVE_PLACES.flatMap(([overlay, places]) =>
    [...places.matchAll(/'([^']+)'|(\S+)/g)].map((match) => entryOf(overlay, match[1] ?? match[2] ?? '')),
  );
  const starred = all.filter(({ last }) => last.includes('*'));
  return {
    byName: Map.groupBy(
      all.filter(({ last }) => !last.includes('*')),
      ({ last }) => last,
    ),
    byEnding: Map.groupBy(
      starred.filter(({ head }) => head === ''),
      ({ tail }) => tail.slice(tail.lastIndexOf('.')),
    ),
    byHead: Map.groupBy(
      starred.filter(({ head }) => head !== ''),
      ({ head }) => head.charAt(0),
    ),
    all,
  };
}

function entryOf(overlay: Overlay, place: string): Entry {
  const anchor = place.startsWith('/') ? 'root' : place.startsWith('~/') ? 'home' : 'any';
  const names = place.replace(/^~?\//, '').toLowerCase().split('/');
  const last = names.at(-1) ?? '';
  const [head = '', tail = ''] = last.split('*');
  return { overlay, anchor, before: names.slice(0, -1), last, sample: last.replaceAll('*', 'x'), head, tail };
}

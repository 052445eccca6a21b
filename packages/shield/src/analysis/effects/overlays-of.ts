import { isKnown, mayBe } from './pattern-text.ts';
import type { Overlay } from './place.ts';
import type { ResolvedPath } from './resolve-path.ts';
import { SENSITIVE_PLACES } from './sensitive-places.ts';

/** A listed place, split at its last name: the name finds it, the names before it must agree. */
interface Entry {
  readonly overlay: Overlay;
  readonly anchor: 'root' | 'home' | 'any';
  readonly before: readonly string[];
  readonly last: string;
  /** The last name, with a letter for its star: what a pattern is tried against. */
  readonly sample: string;
  /** What stands before and after its star. */
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

/** Names that are public though they look like the ones that are not. */
const PUBLIC_ENDINGS = ['.pub', '.example', '.sample', '.template', '.dist', '.crt'];
const PUBLIC_NAMES = new Set([
  'known_hosts',
  'known_hosts.old',
  'authorized_keys',
  'authorized_keys2',
  'config',
]);

/**
 * What a path means beyond where it lies. Names with markers are matched as patterns, if they say enough to be meant.
 *
 * @param path absolute, or the last components of one whose beginning is not known
 * @param homes components of the homes of this machine that are known
 * @param folder what is listed of all names but the last, if that is known
 */
export function overlaysOf(
  path: ResolvedPath,
  homes: readonly (readonly string[])[],
  folder?: ReadonlySet<Overlay>,
): readonly Overlay[] {
  const { names } = path;
  const listed =
    folder === undefined ? listedAmong(path, homes) : listedAmong(path, homes, names.length - 1, folder);
  // Nothing listed: the usual path.
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

const NOTHING: ReadonlySet<Overlay> = new Set();

/**
 * What is listed of the names of a path, before what is public is taken out.
 *
 * @param from the first name to look at
 * @param before what is listed of those before it
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

/** `.*`, `.[!.]*`, `.??*`: the names that begin with a dot, and nothing else said of them. */
const HIDDEN_ONLY = /^\.[\uE000-\uE002]+$/;

/** In a home they are where programs keep their settings and secrets, so who reads all of them reads those. */
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

/** Makes no list where nothing fits, as nearly always. */
function fitting(entries: readonly Entry[] | undefined, key: string): readonly Entry[] {
  return entries?.some((entry) => fits(entry, key)) === true
    ? entries.filter((entry) => fits(entry, key))
    : NONE;
}

const MIN_LETTERS = 2;
const MIN_SINGLES = 4;
const ENDING_ONLY = /^[\uE000-\uE002]+(\.\w+)$/;

/**
 * The entries that a pattern is meant for: those of which it says half of the letters, or two where the folder is named in
 * full. `*.pem` is meant for what is listed by its ending; `*.xml` is not for one name that ends so.
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

/** Names on the way: a pattern agrees with whatever it can stand for. */
function alike(listed: string, name: string): boolean {
  if (listed === '*') return true;
  const key = name.toLowerCase();
  return isKnown(name) ? listed === key : mayBe(key, listed);
}

function fits({ head, tail }: Entry, name: string): boolean {
  return name.length > head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** `/home/x`, `/Users/x`, `/root`, and the homes that are known. */
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

import { foldName, mayBeRunLater, pathRefusal, runBy } from '@bulkhead/protocol';
import { overlaysOf } from '../effects/overlays-of.ts';
import {
  DATA_ENDINGS,
  EVIDENCE_WORDS,
  GUARD_WORDS,
  isIdentityFile,
  isMemoryFile,
  isOwnFolder,
  isSkillFile,
  isStandingFile,
  KEY_WORDS,
  PRIVATE_PLACES,
  PROCESS_FILES,
  SCRATCH_ROOTS,
  SECRET_QUALIFIERS,
  SECRET_WORDS,
  START_UP_ROOTS,
  SYSTEM_ROOTS,
} from './place-words.ts';

/** The coarse location of a path. */
type Zone = 'working-folder' | 'scratch' | 'home' | 'other-home' | 'system' | 'root' | 'elsewhere';

/** The meaning of a path beyond its location. */
export interface PathPlace {
  readonly zone: Zone;
  readonly credentials: boolean;
  /** The product's own files. */
  readonly own: boolean;
  readonly identity: boolean;
  readonly standing: boolean;
  readonly memory: boolean;
  readonly startUp: boolean;
  /** The program that later obeys it automatically. */
  readonly runBy: string | undefined;
  readonly privateData: boolean;
  readonly guard: boolean;
  readonly evidence: boolean;
}

/** The folders that define the zones, as folded components. */
export interface Ground {
  readonly workingFolder: readonly string[];
  readonly home: readonly string[];
}

export function groundOf(workingFolder: string, home: string): Ground {
  return { workingFolder: resolveNames([], workingFolder), home: resolveNames([], home) };
}

/**
 * Classifies a path. Pure: judges names only, without following links.
 *
 * @param names from the root, dots resolved, as `absoluteNames` gives them
 */
export function placeOf(names: readonly string[], access: 'read' | 'write', ground: Ground): PathPlace {
  const zone = zoneOf(names, ground);
  const below = zone === 'working-folder' ? names.slice(ground.workingFolder.length) : names;
  const fromHome = startsWith(names, ground.home) ? names.slice(ground.home.length) : undefined;
  const last = names.at(-1) ?? '';
  const words = wordsOf(last);
  return {
    zone,
    credentials: isCredentials(names, below, ground, access),
    own: below.some(isOwnFolder),
    identity: isIdentityFile(last) || isSkillFile(last),
    standing: isStandingFile(last),
    memory: isMemoryFile(last),
    startUp: under(names, START_UP_ROOTS) || (zone !== 'working-folder' && laterBy(names) !== undefined),
    runBy: laterBy(below) ?? (below.includes('.git') ? 'git' : undefined),
    privateData:
      zone !== 'working-folder' && isPrivate(fromHome ?? otherHome(names)) ? true : isHiddenStore(below),
    guard: !isSource(last, zone) && below.some((name) => wordsOf(name).some((word) => GUARD_WORDS.has(word))),
    evidence:
      (LOG_NAME.test(last) && words.some((word) => EVIDENCE_WORDS.has(word))) ||
      under(names, [['var', 'log']]),
  };
}

/**
 * Returns folded components from the root; `..` climbs, `~` and `$HOME` are the home, a relative
 * path starts in the working folder.
 */
export function absoluteNames(path: string, ground: Ground): readonly string[] {
  const plain = path
    .replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
    .replaceAll('\\', '/')
    .replace(/^[a-z]:(?=\/)/i, '');
  const home = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=\/|$)/i.exec(plain);
  if (home !== null) return tidy(resolveNames(ground.home, plain.slice(home[0].length)));
  const other = /^~([^/]+)/.exec(plain);
  if (other !== null) {
    const base = other[1] === 'root' ? ['root'] : ['home', foldName(other[1] ?? '')];
    return tidy(resolveNames(base, plain.slice(other[0].length)));
  }
  return tidy(resolveNames(plain.startsWith('/') ? [] : ground.workingFolder, plain, ground));
}

function resolveNames(base: readonly string[], path: string, ground?: Ground): readonly string[] {
  const names = [...base];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') names.pop();
    else names.push(foldName(part));
  }
  if (ground === undefined || names[0] !== 'proc') return names;
  // The root and the working folder of a process.
  if (names[2] === 'root') return names.slice(3);
  return names[2] === 'cwd' ? [...ground.workingFolder, ...names.slice(3)] : names;
}

/** macOS keeps the same folders under two names. */
function tidy(names: readonly string[]): readonly string[] {
  if (names[0] === 'private' && /^(?:etc|var|tmp)$/.test(names[1] ?? '')) return names.slice(1);
  return names[0] === 'system' && names[1] === 'volumes' && names[2] === 'data' ? names.slice(3) : names;
}

function zoneOf(names: readonly string[], { workingFolder, home }: Ground): Zone {
  if (workingFolder.length > 0 && startsWith(names, workingFolder)) return 'working-folder';
  if (names.length === 0) return 'root';
  if (under(names, SCRATCH_ROOTS)) return 'scratch';
  if (home.length > 0 && startsWith(names, home)) return 'home';
  if (otherHome(names) !== undefined) return 'other-home';
  return SYSTEM_ROOTS.has(names[0] ?? '') ? 'system' : 'elsewhere';
}

/** Components below a home that may be somebody else's. */
function otherHome(names: readonly string[]): readonly string[] | undefined {
  if (names[0] === 'root') return names.slice(1);
  return (names[0] === 'home' || names[0] === 'users') && names.length > 1 ? names.slice(2) : undefined;
}

function isCredentials(
  names: readonly string[],
  below: readonly string[],
  { home }: Ground,
  access: 'read' | 'write',
): boolean {
  if (pathRefusal(below, access)?.rule === 'credentials') return true;
  // A project may have files with these names.
  const outside = below === names;
  if (outside && overlaysOf({ names, anchored: true }, [home]).includes('credentials')) return true;
  if (names[0] === 'proc' && names.slice(2).some((name) => PROCESS_FILES.has(name))) return true;
  return isSecretName(names.at(-1) ?? '');
}

/**
 * `secrets.yaml`, `prod-api-keys.json`, `access_token`; not `password-hint.vue`, nor `keyboard.ts`.
 */
function isSecretName(name: string): boolean {
  const dot = name.lastIndexOf('.');
  const ending = dot <= 0 ? '.' : name.slice(dot + 1);
  if (!DATA_ENDINGS.has(ending)) return false;
  const words = wordsOf(dot <= 0 ? name : name.slice(0, dot));
  if (ending === 'token' || ending === 'secret') return true;
  if (words.length === 0) return false;
  const named = words.some((word) => SECRET_WORDS.has(word));
  const keyed = words.length > 1 && words.some((word) => KEY_WORDS.has(word));
  if (!named && !keyed) return false;
  return words.every((word) => SECRET_WORDS.has(word) || SECRET_QUALIFIERS.has(word) || KEY_WORDS.has(word));
}

/** Returns `runBy`, checked only for paths with a relevant name. */
function laterBy(names: readonly string[]): string | undefined {
  return names.some(mayBeRunLater) ? runBy(names) : undefined;
}

const LOG_NAME = /^[^.]*$|\.(?:log|jsonl?|db|sqlite3?|txt|csv|journal)$/;
const SOURCE_NAME =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|cs?|cc|cpp|hp?p?|php|lua|md|mdx|rst|html?|s?css|vue|svelte|sql|snap)$/;

/** A project's source file is not what its name suggests. */
function isSource(name: string, zone: Zone): boolean {
  return zone === 'working-folder' && SOURCE_NAME.test(name);
}

/** Another program's database or token, in a hidden folder. */
function isHiddenStore(below: readonly string[]): boolean {
  const hidden = below.slice(0, -1).some((name) => /^\.[a-z]/.test(name) && name !== '.github');
  return hidden && /\.(?:db|sqlite3?|ldb|leveldb)$/.test(below.at(-1) ?? '');
}

function isPrivate(home: readonly string[] | undefined): boolean {
  return home !== undefined && PRIVATE_PLACES.some((place) => startsWith(home, place));
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

function under(names: readonly string[], places: readonly (readonly string[])[]): boolean {
  return places.some((place) => startsWith(names, place));
}

function startsWith(names: readonly string[], start: readonly string[]): boolean {
  return names.length >= start.length && start.every((name, at) => names[at] === name);
}

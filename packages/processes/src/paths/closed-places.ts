import { userInfo } from 'node:os';
import { Descriptor, lookAtEntry } from '@bulkhead/files';
import { foldName, pathRefusal } from '@bulkhead/protocol';
import { isWithin } from './levels.ts';

/** Absolute paths, resolved. */
export interface ClosedPlaces {
  /** Home folders of the person. */
  readonly userHomes: readonly string[];
  /** Bulkhead's own home. */
  readonly own: string;
}

/** Settings and state of the system: no repository in them is a project. */
const SYSTEM = ['/boot', '/dev', '/etc', '/proc', '/run', '/sys', '/var/lib', '/var/log', '/var/run'];
/** Folders of the system that hold others, which may be projects. */
const SHELVES = [
  ...[
    '/',
    '/bin',
    '/gnu',
    '/home',
    '/lib',
    '/media',
    '/mnt',
    '/nix',
    '/opt',
    '/root',
    '/sbin',
    '/srv',
    '/tmp',
  ],
  ...['/usr', '/usr/local', '/usr/src', '/usr/share', '/usr/lib', '/var', '/var/tmp', '/dev/shm'],
];
/** Names below a home folder, folded, where a person's own documents lie. */
const PERSONAL = new Set(
  'desktop documents downloads dropbox mail maildir movies music onedrive pictures videos'.split(' '),
);
/** Below a home folder, folded: a home for each installed program, where browsers have their profiles. */
const PACKAGED_HOMES = 'snap';
/** Folders of the system that every box shows. */
const SHOWN = ['/bin', '/gnu', '/lib', '/lib64', '/nix', '/opt', '/sbin', '/usr'];
/** Names that only a home has at its top. */
const HOME_MARKS = ['.ssh', '.gnupg', '.bash_history', '.zsh_history'];
/** Homes of all persons, where root may work for any of them. */
const HOMES = '/home/';

/**
 * @param own Bulkhead's home
 * @param userHome the person's, as the environment names it
 */
export function closedPlaces(own: string, userHome: string | undefined): ClosedPlaces {
  const homes = [userHome ?? '', accountHome()].filter((home) => home.startsWith('/'));
  return { own: resolved(own), userHomes: homes.flatMap((home) => [home, resolved(home)]) };
}

/** True for a place that is never shown for what lies in it: settings, private documents, all of a home. */
export function isClosedPlace(path: string, { userHomes, own }: ClosedPlaces): boolean {
  if (SHELVES.includes(path) || SYSTEM.some((place) => isWithin(path, place))) return true;
  if ([...userHomes, own].some((place) => isWithin(place, path)) || isWithin(path, own)) return true;
  if (pathRefusal(path.split('/').slice(1), 'read') !== undefined) return true;
  const [, name = ''] = path.startsWith(HOMES) ? path.slice(HOMES.length - 1).split('/') : [];
  const homes = name === '' ? userHomes : [...userHomes, `${HOMES}${name}`];
  return homes.some((home) => path === home || (isWithin(path, home) && isPersonal(below(path, home))));
}

function below(path: string, folder: string): readonly string[] {
  return path.slice(folder.length + 1).split('/');
}

function isPersonal([top = '', ...rest]: readonly string[]): boolean {
  if (top.startsWith('.') || foldName(top) === PACKAGED_HOMES) return true;
  return rest.length === 0 && PERSONAL.has(foldName(top));
}

/** True for a place of the system, not of a person. */
export function isSystemPlace(path: string): boolean {
  return path === '/' || [...SYSTEM, ...SHOWN].some((place) => isWithin(path, place));
}

/** True for the home of a person, wherever it lies. */
export function isMarkedHome(folder: Descriptor): boolean {
  return HOME_MARKS.some((mark) => lookAtEntry(folder, Buffer.from(mark)) !== undefined);
}

/** Empty if the system has no account of the user's number. */
function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '';
  }
}

/** Without links, as working folders are named. */
function resolved(path: string): string {
  try {
    using folder = Descriptor.ofTrustedFolder(path);
    return folder.currentName().toString('utf8');
  } catch {
    return path;
  }
}

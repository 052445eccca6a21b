import type { BigIntStats } from 'node:fs';
import { Descriptor, lookAtEntry } from '@bulkhead/files';
import { foldName, pathRefusal } from '@bulkhead/protocol';
import { isWithin, type Level, openLevels } from '../paths/levels.ts';

/** The root of the repository or workspace that a working folder is a part of. */
export interface RepositoryRoot {
  /** Absolute, without links; never the working folder itself. */
  readonly path: string;
  /** Number of its inode. */
  readonly inode: bigint;
  readonly kind: 'repository' | 'workspace';
}

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
/** Names that only a home has at its top. */
const HOME_MARKS = ['.ssh', '.gnupg', '.bash_history', '.zsh_history'];
/** Homes of all persons, where root may work for any of them. */
const HOMES = '/home/';
const MAX_MANIFEST_BYTES = 256 * 1024;
const OTHERS_MAY_WRITE = 0o002n;

/**
 * Finds the root around a folder by its marks: `.git`, or the manifest of a workspace. It is only
 * looked for as long as the folders on the way belong to the same user, no other user can write them,
 * and none is a closed place. Nothing that the root holds can widen it: the marks lie above the folder,
 * and no link is followed.
 *
 * @param workingFolder absolute, resolved
 * @returns undefined if the folder is no part of a larger one, or has a repository of its own
 */
export function findRepositoryRoot(workingFolder: string, closed: ClosedPlaces): RepositoryRoot | undefined {
  using stack = new DisposableStack();
  try {
    const levels = openLevels(workingFolder, stack).map((level) => ({
      ...level,
      facts: level.folder.stat(),
    }));
    const own = levels.at(-1);
    if (own === undefined || !isOurs(own.facts) || hasRepository(own.folder)) return undefined;
    let workspace: RepositoryRoot | undefined;
    for (const level of levels.slice(0, -1).toReversed()) {
      if (!isSameOwners(level.facts, own.facts) || isClosedPlace(level.path, closed)) break;
      if (HOME_MARKS.some((mark) => lookAtEntry(level.folder, Buffer.from(mark)) !== undefined)) break;
      if (hasRepository(level.folder)) return rootOf(level, 'repository');
      const [part = ''] = workingFolder.slice(level.path.length + 1).split('/');
      if (workspace === undefined && hasWorkspace(level.folder, part)) workspace = rootOf(level, 'workspace');
    }
    return workspace;
  } catch {
    // Moved, or not to be looked at.
    return undefined;
  }
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
  return top.startsWith('.') || (rest.length === 0 && PERSONAL.has(foldName(top)));
}

function rootOf(
  { path, facts }: Pick<Level, 'path'> & { readonly facts: BigIntStats },
  kind: RepositoryRoot['kind'],
): RepositoryRoot {
  return { path, inode: facts.ino, kind };
}

function isOurs({ uid }: BigIntStats): boolean {
  const user = BigInt(process.geteuid?.() ?? -1);
  return user === 0n || user === uid;
}

function isSameOwners(level: BigIntStats, own: BigIntStats): boolean {
  return level.uid === own.uid && level.dev === own.dev && (level.mode & OTHERS_MAY_WRITE) === 0n;
}

/** A `.git` that git takes for one: a folder with a `HEAD`, or a file that names one. */
function hasRepository(folder: Descriptor): boolean {
  const name = Buffer.from('.git');
  if (lookAtEntry(folder, name) === undefined) return false;
  using git = Descriptor.ofEntry(folder, name);
  const facts = git.stat();
  return facts.isFile() || (facts.isDirectory() && lookAtEntry(git, Buffer.from('HEAD')) !== undefined);
}

/** @param part the first folder on the way from there to the working folder */
function hasWorkspace(folder: Descriptor, part: string): boolean {
  const cargo = textOf(folder, 'Cargo.toml');
  const manifest = textOf(folder, 'package.json');
  return [
    textOf(folder, 'pnpm-workspace.yaml'),
    textOf(folder, 'go.work'),
    /^\s*\[workspace[\].]/mu.test(cargo) ? cargo : '',
    namesWorkspaces(manifest) ? manifest : '',
  ].some((text) => namesPart(text, part));
}

/** Patterns that begin with any name, and dependencies by their path, make it a part as well. */
function namesPart(text: string, part: string): boolean {
  return text.split(/[\s"'`,()[\]{}]+/u).some((word) => {
    const [first = ''] = word.replace(/^(\.\/)+/u, '').split('/');
    return first === part || /^[^!].*[*?]|^[*?]/u.test(first);
  });
}

function namesWorkspaces(text: string): boolean {
  if (!text.includes('"workspaces"')) return false;
  try {
    const manifest: unknown = JSON.parse(text);
    return typeof manifest === 'object' && manifest !== null && 'workspaces' in manifest;
  } catch {
    return false;
  }
}

function isFile(folder: Descriptor, name: string): boolean {
  return lookAtEntry(folder, Buffer.from(name))?.isFile() === true;
}

function textOf(folder: Descriptor, name: string): string {
  if (!isFile(folder, name)) return '';
  using entry = Descriptor.ofEntry(folder, Buffer.from(name));
  if (!entry.stat().isFile()) return '';
  using content = entry.openContent();
  return content.readUpTo(MAX_MANIFEST_BYTES)?.toString('utf8') ?? '';
}

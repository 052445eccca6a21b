import type { BigIntStats } from 'node:fs';
import { Descriptor, lookAtEntry } from '@bulkhead/files';
import { type ClosedPlaces, isClosedPlace, isMarkedHome } from '../paths/closed-places.ts';
import { type Level, openLevels } from '../paths/levels.ts';

/** The root of the repository or workspace that a working folder is a part of. */
export interface RepositoryRoot {
  /** Absolute, without links; never the working folder itself. */
  readonly path: string;
  /** Number of its inode. */
  readonly inode: bigint;
  readonly kind: 'repository' | 'workspace';
}

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
      if (isMarkedHome(level.folder)) break;
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

import { foldName, type ObservedChange } from '@bulkhead/protocol';
import type { GitParts } from './finding.ts';

/** Files that git obeys in a repository; with a `HEAD` beside them, the folder may be one. */
export const GIT_SETTINGS: readonly string[] = ['config', 'hooks', 'commondir', 'config.worktree'];

const SLASH = 0x2f;

/** Combines old files and a command's changes: both together may form a repository. */
export function gitPartsOf(changes: readonly ObservedChange[], facts: GitParts): GitParts {
  const heads = lazySet(() => foldersOf(changes, (name) => name === 'head'));
  const settings = lazySet(() => foldersOf(changes, (name) => GIT_SETTINGS.includes(name)));
  return {
    isGitFolder: (folder) => facts.isGitFolder(folder) || heads().has(keyOf(folder)),
    hasSettings: (folder) => facts.hasSettings(folder) || settings().has(keyOf(folder)),
  };
}

/** The name of a folder around an object, as bytes. @param depth number of its components */
export function folderAround(path: Uint8Array, depth: number): Uint8Array {
  let end = -1;
  for (let index = 0; index < depth; index += 1) end = path.indexOf(SLASH, end + 1);
  return path.subarray(0, Math.max(end, 0));
}

/** Folders that contain such a name: a file in `hooks` implies it. */
function foldersOf(changes: readonly ObservedChange[], isNamed: (folded: string) => boolean): Set<string> {
  const folders = new Set<string>();
  for (const { path, what } of changes) {
    if (what === 'deleted') continue;
    for (const [at, name] of Buffer.from(path).toString('utf8').split('/').entries()) {
      if (isNamed(foldName(name))) folders.add(keyOf(folderAround(path, at)));
    }
  }
  return folders;
}

function lazySet(make: () => Set<string>): () => Set<string> {
  let made: Set<string> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** One character per byte, so that names that are no valid text stay distinct. */
function keyOf(folder: Uint8Array): string {
  return Buffer.from(folder).toString('latin1');
}

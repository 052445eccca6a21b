import type { FolderView } from './folder-view.ts';
import type { Repository } from './git-history.ts';

const MAX_BYTES = 4_096;

/**
 * The repository whose files a path of a working folder belongs to, if it lies in that folder: the
 * innermost one around it.
 *
 * @param workingFolder absolute
 * @param known results by folder, which this adds to
 */
export function repositoryAround(
  view: FolderView,
  workingFolder: string,
  path: string,
  known: Map<string, Repository | undefined>,
): Repository | undefined {
  const cut = path.lastIndexOf('/');
  const folder = cut < 0 ? '' : path.slice(0, cut);
  if (known.has(folder)) return known.get(folder);
  const here = repositoryOf(view, workingFolder, folder);
  const found = here ?? (folder === '' ? undefined : repositoryAround(view, workingFolder, folder, known));
  known.set(folder, found);
  return found;
}

function repositoryOf(view: FolderView, workingFolder: string, files: string): Repository | undefined {
  const place = files === '' ? '.git' : `${files}/.git`;
  if (view.read(`${place}/HEAD`, MAX_BYTES) !== undefined) return { files, common: place, own: place };
  // A linked worktree or a submodule names its repository.
  const pointed = /^gitdir: (.+)\n?$/.exec(view.read(place, MAX_BYTES)?.toString('latin1') ?? '')?.[1];
  const own = pointed === undefined ? undefined : below(pointed, workingFolder, files);
  if (own === undefined) return undefined;
  const common = /^(.+)\/worktrees\/[^/]+$/.exec(own)?.[1];
  return { files, common: common ?? own, own };
}

/** @returns relative to the working folder; undefined if it lies outside */
function below(path: string, workingFolder: string, from: string): string | undefined {
  const folder = Buffer.from(workingFolder).toString('latin1');
  if (path.startsWith('/') && !path.startsWith(`${folder}/`)) return undefined;
  const names = path.startsWith('/') || from === '' ? [] : from.split('/');
  for (const name of (path.startsWith('/') ? path.slice(folder.length) : path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.length === 0 ? undefined : names.join('/');
}

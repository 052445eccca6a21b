import { Descriptor, listNames } from '@bulkhead/files';
import { isWithin } from '../paths/levels.ts';
import { followPath } from './follow-path.ts';

/** Below a home, where programs install themselves; `*` stands for the newest version, by its name. */
const WELL_KNOWN = [
  ...['.local/bin', 'bin', '.cargo/bin', '.nvm/versions/node/*/bin', '.local/share/fnm/aliases/default/bin'],
  ...['.volta/bin', '.bun/bin', '.deno/bin', 'go/bin', '.go/bin', 'sdk/*/bin', '.pyenv/shims', '.pyenv/bin'],
  ...['.rbenv/shims', '.rbenv/bin', '.asdf/shims', '.local/share/mise/shims', '.npm-global/bin', '.yarn/bin'],
  ...['.local/share/pnpm', '.poetry/bin', '.rye/shims', '.pixi/bin', '.ghcup/bin', '.juliaup/bin'],
  ...['java', 'kotlin', 'gradle', 'maven', 'scala', 'groovy'].map(
    (one) => `.sdkman/candidates/${one}/current/bin`,
  ),
];

/** A PATH with more is cut. */
const MAX_FOLDERS = 100;

/**
 * The folders of programs in a person's home: of the PATH first, in its order, then the usual ones. No
 * shell is started to find them.
 *
 * @param home absolute, without links
 * @returns folders that exist: absolute, without links, each once
 */
export function programFolders(path: string, home: string): readonly string[] {
  const named = path.split(':').filter((entry) => entry.startsWith('/'));
  const usual = WELL_KNOWN.flatMap((place) => withNewest(home, place));
  const found = [...named.slice(0, MAX_FOLDERS), ...usual].flatMap((entry) => {
    const followed = followPath(entry);
    return followed?.facts.isDirectory() === true && isWithin(followed.path, home) ? [followed.path] : [];
  });
  return [...new Set(found)];
}

function withNewest(home: string, place: string): readonly string[] {
  const [before = '', after] = place.split('/*');
  if (after === undefined) return [`${home}/${place}`];
  const versions = namesIn(`${home}/${before}`).toSorted(newestFirst);
  return versions.slice(0, 1).map((version) => `${home}/${before}/${version}${after}`);
}

const newestFirst = (one: string, other: string) =>
  other.localeCompare(one, 'en', { numeric: true, sensitivity: 'base' });

function namesIn(path: string): readonly string[] {
  try {
    using folder = Descriptor.ofTrustedFolder(path);
    return listNames(folder).map((name) => name.toString('utf8'));
  } catch {
    return [];
  }
}

import { nameMatcher } from './name-matcher.ts';
import { pathRefusal } from './protected-names.ts';
import { runBy } from './run-later.ts';

/** What happened to an object, or is to happen. `replaced`: another object has the name now. */
export type ChangeWhat = 'created' | 'changed' | 'metadata' | 'deleted' | 'replaced';

/** What an object is; `missing`: there is none any more. */
export type ChangedKind = 'file' | 'folder' | 'link' | 'other' | 'missing';

/** Why a change must not be, or must be allowed by a person first. */
export interface ChangeRefusal {
  readonly decision: 'block' | 'escalate';
  readonly rule: 'credentials' | 'executed-later';
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

const isGit = nameMatcher(['.git']);
/** What lies here was fetched as it is; its names mean nothing to programs that work on the project. */
const isFetched = nameMatcher(['node_modules', 'site-packages', 'dist-packages']);

/**
 * What git itself writes into a repository and nothing runs: objects, names, history, messages. All else in it
 * (configuration, hooks, attributes, todo lists of a rebase, other repositories' places) is obeyed.
 */
const GIT_DATA =
  /^(?:objects\/(?!info\/(?:http-)?alternates$)|refs\/|logs\/|lfs\/objects\/|info\/(?:exclude|refs)$|hooks\/[^/]+\.sample$)/;
const GIT_DATA_FILES: ReadonlySet<string> = new Set(
  (
    'HEAD index packed-refs shallow description ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE AUTO_MERGE ' +
    'CHERRY_PICK_HEAD REVERT_HEAD COMMIT_EDITMSG SQUASH_MSG TAG_EDITMSG gc.log gc.pid'
  ).split(' '),
);
const GIT_FOLDERS: ReadonlySet<string> = new Set([
  ...['objects', 'refs', 'logs', 'info', 'hooks', 'branches', 'lfs', 'lfs/objects'],
]);

/**
 * Judges one change below a working folder by its name, whoever makes it: a file tool before it writes, the engine
 * over what a command left (FT14). Stricter rules of a tool come on top: file tools never write into a `.git`.
 *
 * @param names components below the working folder, the object's own last
 * @param kind what has the name afterwards
 * @returns undefined if the change may be
 */
export function changeRefusal(
  names: readonly string[],
  what: ChangeWhat,
  kind: ChangedKind,
): ChangeRefusal | undefined {
  const git = names.findIndex(isGit);
  const refusal = pathRefusal(git < 0 ? names : [...names.slice(0, git), 'repository'], 'write');
  const fetched = names.slice(0, -1).some(isFetched);
  if (refusal !== undefined && !(fetched && refusal.rule === 'credentials')) {
    return { decision: 'block', ...refusal };
  }
  if (git >= 0) return gitRefusal(names.slice(git + 1).join('/'), what, kind);
  const by = fetched || what === 'deleted' ? undefined : runBy(names);
  return by === undefined
    ? undefined
    : mustBeAllowed(`is executed later, by ${by}, without anybody asking for it`);
}

/** @param path below the `.git` folder; empty: `.git` itself, a folder or a file that says where it is */
function gitRefusal(path: string, what: ChangeWhat, kind: ChangedKind): ChangeRefusal | undefined {
  if (isGitData(path, kind)) return undefined;
  // A new repository (git init, git clone) has a configuration that nobody has seen: a person may want it.
  const begins =
    what === 'created' && (path === '' || path === 'config') && (kind === 'folder' || kind === 'file');
  if (begins) return mustBeAllowed('makes a repository whose configuration git obeys later');
  return { decision: 'block', rule: 'executed-later', reason: 'is run or obeyed by git later' };
}

/** Data are files and folders where git puts them: a link there could make anything of them. */
function isGitData(path: string, kind: ChangedKind): boolean {
  if (kind === 'link' || kind === 'other') return false;
  if (GIT_DATA.test(path)) return true;
  return (kind !== 'folder' && GIT_DATA_FILES.has(path)) || (kind !== 'file' && GIT_FOLDERS.has(path));
}

function mustBeAllowed(reason: string): ChangeRefusal {
  return { decision: 'escalate', rule: 'executed-later', reason };
}

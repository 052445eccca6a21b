import type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
import { isDataFolder, isKnownData } from './git-data.ts';
import { strictestOf } from './verdict.ts';

const DATA_FILES = new Set([
  'head',
  'index',
  'packed-refs',
  'shallow',
  'description',
  'commit_editmsg',
  'merge_msg',
  'merge_mode',
  'merge_rr',
  'squash_msg',
  'tag_editmsg',
  'auto_merge',
  'orig_head',
  'fetch_head',
  'merge_head',
  'cherry_pick_head',
  'revert_head',
  'rebase_head',
  'bisect_head',
  'bisect_log',
  'bisect_names',
  'bisect_start',
  'bisect_terms',
  'bisect_expected_rev',
  'bisect_ancestors_ok',
  'gc.log',
  'gc.pid',
]);
const INFO_FILES = new Set(['exclude', 'refs', 'sparse-checkout']);
/** Folders that git creates with a repository. */
const EMPTY_FOLDERS = new Set(['hooks', 'info', 'modules', 'worktrees']);
/** Files of a repository that git obeys, in any kind of folder. */
const OBEYED_FILES = new Set(['config', 'config.worktree', 'commondir', 'gitdir']);

const LATER: ChangeRefusal = {
  decision: 'block',
  rule: 'executed-later',
  reason:
    'is run or obeyed by git later; hooks and settings of git are for the user to change (new branches: --no-track)',
};
const NEW_SETTINGS: ChangeRefusal = {
  decision: 'escalate',
  rule: 'executed-later',
  reason: 'holds settings that git obeys later (executable later)',
};
const NEW_REPOSITORY_LINK: ChangeRefusal = {
  decision: 'escalate',
  rule: 'executed-later',
  reason: 'tells git where its settings are (executable later)',
};
const REMOVED: ChangeRefusal = {
  decision: 'escalate',
  rule: 'mass-deletion',
  reason: 'is a whole repository, and would be deleted',
};

/** The part of a change that git's rules use. */
export interface GitChange {
  readonly what: ChangeWhat;
  readonly kind: ChangedKind;
  readonly was: ChangedKind;
}

/**
 * Judges a change in a folder that git works in. Allows ordinary work: objects, refs, the index.
 * Refuses files that git runs or obeys, and unknown ones.
 *
 * @param rest folded components below that folder; none: the folder itself, or the file in its
 *   place
 */
export function gitRefusal(change: GitChange, rest: readonly string[]): ChangeRefusal | undefined {
  const [first = '', ...more] = rest;
  if (first === '') return repositoryItself(change);
  if (change.kind === 'link') return LATER;
  if (isDataFolder(first)) return inData(change, rest);
  return more.length === 0 ? directly(change, first) : inFolder(change, first, more);
}

function inData({ what, kind }: GitChange, rest: readonly string[]): ChangeRefusal | undefined {
  // Removing data is harmless, but the setting for further object folders is not data.
  if (what === 'deleted')
    return /^objects\/info\/(?:http-)?alternates/.test(rest.join('/')) ? LATER : undefined;
  return isKnownData(rest, kind === 'folder') ? undefined : LATER;
}

function inFolder(change: GitChange, folder: string, rest: readonly string[]): ChangeRefusal | undefined {
  const [first = ''] = rest;
  switch (folder) {
    case 'modules':
      return inModule(change, rest);
    case 'worktrees':
      return change.what === 'deleted' ? undefined : NEW_REPOSITORY_LINK;
    case 'info':
      return rest.length === 1 && isInfoFile(change, first) ? undefined : LATER;
    case 'hooks':
      return rest.length === 1 && isSample(change, first) ? undefined : LATER;
    default:
      return LATER;
  }
}

function directly(change: GitChange, name: string): ChangeRefusal | undefined {
  if (EMPTY_FOLDERS.has(name) && (change.kind === 'folder' || change.what === 'deleted')) return undefined;
  const plain = withoutLock(name);
  if (DATA_FILES.has(plain)) return undefined;
  if (plain === 'config') return change.what === 'created' ? NEW_SETTINGS : LATER;
  return LATER;
}

function repositoryItself({ what, kind, was }: GitChange): ChangeRefusal | undefined {
  if (what === 'deleted') return was === 'folder' ? REMOVED : LATER;
  if (kind === 'folder') return undefined;
  return kind === 'file' && what === 'created' ? NEW_REPOSITORY_LINK : LATER;
}

/**
 * Names of modules may have several parts with any names: no name shows where the module's own
 * folder begins. The strictest of all readings applies.
 */
function inModule(change: GitChange, rest: readonly string[]): ChangeRefusal | undefined {
  const starts = rest.flatMap((name, at) => (at > 0 && isOfRepository(change, rest, at, name) ? [at] : []));
  const last = rest.at(-1) ?? '';
  if (starts.length > 0) return strictestOf(starts.map((at) => gitRefusal(change, rest.slice(at))));
  if (change.kind === 'folder' || change.what === 'deleted') return undefined;
  return directly(change, last);
}

function isOfRepository({ what }: GitChange, rest: readonly string[], at: number, name: string): boolean {
  const isLast = at === rest.length - 1;
  // Paths below it are read from there, too.
  if (name === 'modules') return isLast;
  return (
    isDataFolder(name) || EMPTY_FOLDERS.has(name) || (isLast && what !== 'deleted' && OBEYED_FILES.has(name))
  );
}

function isInfoFile({ kind, what }: GitChange, name: string): boolean {
  return INFO_FILES.has(withoutLock(name)) && (what === 'deleted' || kind === 'file');
}

/** Git runs no hook whose name ends in `.sample`. */
function isSample({ kind, what }: GitChange, name: string): boolean {
  return name.endsWith('.sample') && (what === 'deleted' || kind === 'file');
}

function withoutLock(name: string): string {
  return name.endsWith('.lock') ? name.slice(0, -'.lock'.length) : name;
}

import type { ChangedKind, ChangeRefusal, ChangeWhat } from './change.ts';
import { isDataFolder, isKnownData } from './git-data.ts';
import { strictestOf } from './verdict.ts';

const DATA_FILES = new Set([
  'addp-hunk-edit.diff',
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
  'bisect_first_parent',
  'bisect_run',
  'edit_description',
  'merge_autostash',
  'packed-refs.new',
  'gc.log',
  'gc.pid',
]);
/** Files that git names after their content or a process. */
const NUMBERED_FILE = /^(?:sharedindex\.[0-9a-f]{40,64}|next-index-[0-9]+)$/;
/** The state of an operation that a person ends later, by the folder that holds it: texts and ids. */
const STATE_FILES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'rebase-merge',
    names(
      'allow_rerere_autoupdate amend autostash cdate_is_adate current-fixups done drop_redundant_commits ' +
        'dropped end force-rebase head-name ignore_date interactive keep_redundant_commits message ' +
        'message-fixup message-squash msgnum no-reschedule-failed-exec onto orig-head patch quiet ' +
        'refs-to-delete reschedule-failed-exec rewritten-list rewritten-pending signoff squash-onto ' +
        'stopped-sha update-refs verbose',
    ),
  ],
  [
    'rebase-apply',
    names(
      'abort-safety applying autostash dirindex final-commit head-name info keep last messageid msg msg-clean ' +
        'next no_inbody_headers onto orig-head original-commit patch patch-merge-index quiet quoted-cr ' +
        'rebasing rewritten scissors sign stopped-sha threeway utf8',
    ),
  ],
  ['sequencer', names('abort-safety head')],
]);
/** In such a folder, files of steps that git takes later. */
const STEP_FILES = names('git-rebase-todo git-rebase-todo.backup todo');
/** A mail that `git am` has split off. */
const MAIL = /^[0-9]{1,6}$/;
const REUSED = /^(?:pre|post|this)image(?:\.[0-9]+)?$/;
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
 * Files of a repository whose content can show that they are harmless:
 * - `settings`: `config` and `config.worktree`;
 * - `pointer`: names the folder of a repository or of a worktree; a `.git` that is a file, too;
 * - `steps`: the rest of a rebase, a cherry-pick or a revert, which may name commands;
 * - `author`, `strategy`, `options`: of such an operation;
 * - `hook`: a program.
 */
export type GitPart = 'settings' | 'pointer' | 'steps' | 'author' | 'strategy' | 'options' | 'hook';

/** A second look at a file that its name alone refuses. @returns undefined if it may be kept */
export type JudgeGitPart = (part: GitPart, refusal: ChangeRefusal) => ChangeRefusal | undefined;

const BY_NAME: JudgeGitPart = (_, refusal) => refusal;

/**
 * Judges a change in a folder that git works in. Allows ordinary work: objects, refs, the index.
 * Refuses files that git runs or obeys, and unknown ones.
 *
 * @param rest folded components below that folder; none: the folder itself, or the file in its
 *   place
 * @param judge looks at the content; absent, only names count
 */
export function gitRefusal(
  change: GitChange,
  rest: readonly string[],
  judge: JudgeGitPart = BY_NAME,
): ChangeRefusal | undefined {
  const [first = '', ...more] = rest;
  if (first === '') return repositoryItself(change, judge);
  if (change.kind === 'link') return LATER;
  if (isDataFolder(first)) return inData(change, rest);
  return more.length === 0 ? directly(change, first, judge) : inFolder(change, first, more, judge);
}

function inData({ what, kind }: GitChange, rest: readonly string[]): ChangeRefusal | undefined {
  // Removing data is harmless, but the setting for further object folders is not data.
  if (what === 'deleted')
    return /^objects\/info\/(?:http-)?alternates/.test(rest.join('/')) ? LATER : undefined;
  return isKnownData(rest, kind === 'folder') ? undefined : LATER;
}

function inFolder(
  change: GitChange,
  folder: string,
  rest: readonly string[],
  judge: JudgeGitPart,
): ChangeRefusal | undefined {
  const [first = '', ...more] = rest;
  const isFile = more.length === 0 && (change.what === 'deleted' || change.kind === 'file');
  switch (folder) {
    case 'modules':
      return inModule(change, rest, judge);
    case 'worktrees':
      return inWorktree(change, rest, judge);
    case 'info':
      return isFile && INFO_FILES.has(withoutLock(first)) ? undefined : LATER;
    case 'hooks':
      if (isFile && isSample(first)) return undefined;
      return isFile ? judge('hook', LATER) : LATER;
    case 'rr-cache':
      return isReused(change, rest) ? undefined : LATER;
    default:
      return isFile ? inState(change, folder, first, judge) : LATER;
  }
}

/** Git keeps a worktree's own `HEAD`, index and operations there, and where it lies. */
function inWorktree(
  change: GitChange,
  [, ...rest]: readonly string[],
  judge: JudgeGitPart,
): ChangeRefusal | undefined {
  if (change.what === 'deleted') return undefined;
  const [first] = rest;
  if (first === undefined) return change.kind === 'folder' ? undefined : NEW_REPOSITORY_LINK;
  if (rest.length === 1 && first === 'locked' && change.kind === 'file') return undefined;
  return gitRefusal(change, rest, (part, refusal) =>
    judge(part, part === 'pointer' ? NEW_REPOSITORY_LINK : refusal),
  );
}

function inState(
  { what }: GitChange,
  folder: string,
  file: string,
  judge: JudgeGitPart,
): ChangeRefusal | undefined {
  const known = STATE_FILES.get(folder);
  if (known === undefined) return LATER;
  const name = withoutLock(file);
  if (what === 'deleted' || known.has(name)) return undefined;
  if (folder === 'rebase-apply' && MAIL.test(name)) return undefined;
  if (STEP_FILES.has(name)) return judge('steps', LATER);
  if (name === 'author-script') return judge('author', LATER);
  if (name === 'strategy') return judge('strategy', LATER);
  return name === 'opts' ? judge('options', LATER) : LATER;
}

/** Earlier resolutions of conflicts. */
function isReused({ what, kind }: GitChange, [id = '', file, ...more]: readonly string[]): boolean {
  if (!/^[0-9a-f]{40,64}$/.test(id) || more.length > 0) return false;
  if (file === undefined) return what === 'deleted' || kind === 'folder';
  return REUSED.test(file) && (what === 'deleted' || kind === 'file');
}

function directly(change: GitChange, name: string, judge: JudgeGitPart): ChangeRefusal | undefined {
  const { what, kind } = change;
  if (isOwnFolder(name) && (kind === 'folder' || what === 'deleted')) return undefined;
  const plain = withoutLock(name);
  if (DATA_FILES.has(plain) || NUMBERED_FILE.test(plain)) return undefined;
  if (plain === 'config') return judge('settings', what === 'created' ? NEW_SETTINGS : LATER);
  if (plain === 'config.worktree') return judge('settings', LATER);
  if (plain === 'commondir' || plain === 'gitdir') return judge('pointer', LATER);
  return LATER;
}

function isOwnFolder(name: string): boolean {
  return EMPTY_FOLDERS.has(name) || STATE_FILES.has(name) || name === 'rr-cache';
}

function repositoryItself({ what, kind, was }: GitChange, judge: JudgeGitPart): ChangeRefusal | undefined {
  if (what === 'deleted') return was === 'folder' ? REMOVED : judge('pointer', LATER);
  if (kind === 'folder') return undefined;
  if (kind !== 'file') return LATER;
  return judge('pointer', what === 'created' ? NEW_REPOSITORY_LINK : LATER);
}

/**
 * Names of modules may have several parts with any names: no name shows where the module's own
 * folder begins. The strictest of all readings applies.
 */
function inModule(
  change: GitChange,
  rest: readonly string[],
  judge: JudgeGitPart,
): ChangeRefusal | undefined {
  const starts = rest.flatMap((name, at) => (at > 0 && isOfRepository(change, rest, at, name) ? [at] : []));
  const last = rest.at(-1) ?? '';
  if (starts.length > 0) return strictestOf(starts.map((at) => gitRefusal(change, rest.slice(at), judge)));
  if (change.kind === 'folder' || change.what === 'deleted') return undefined;
  return directly(change, last, judge);
}

function isOfRepository({ what }: GitChange, rest: readonly string[], at: number, name: string): boolean {
  const isLast = at === rest.length - 1;
  // Paths below it are read from there, too.
  if (name === 'modules') return isLast;
  return isDataFolder(name) || isOwnFolder(name) || (isLast && what !== 'deleted' && OBEYED_FILES.has(name));
}

/** Git runs no hook whose name ends in `.sample`. */
function isSample(name: string): boolean {
  return name.endsWith('.sample');
}

function withoutLock(name: string): string {
  return name.endsWith('.lock') ? name.slice(0, -'.lock'.length) : name;
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

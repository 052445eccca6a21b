import { readGitConfig } from '@bulkhead/processes/git/read-git-config';
import type { ChangeRefusal, GitPart, ObservedChange } from '@bulkhead/protocol';
import type { ChangePlace } from './finding.ts';
import { settingsChange } from './git-settings.ts';

/** Characters of a hook or a list of steps that a person is shown. */
const MOST_SHOWN = 2_000;
/** Steps of a rebase that only move, combine and name commits; `exec` runs a command. */
const STEP =
  /^(?:(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|label|l|reset|t|merge|m|update-ref|u|revert)[ \t].*|noop|break|b|#.*|)$/;
/** Older versions of git run this file as a script. */
const AUTHOR = /^GIT_AUTHOR_(?:NAME|EMAIL|DATE)=(?:'[^']*'(?:\\'(?:'[^']*')?)*|@?[0-9]+ [+-][0-9]{4})$/;
/** Git runs `git-merge-NAME` for any other. */
const STRATEGIES = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']);
const OPTIONS = new Set([
  'allow-empty',
  'allow-empty-message',
  'allow-ff',
  'allow-rerere-auto',
  'drop-redundant-commits',
  'edit',
  'keep-redundant-commits',
  'mainline',
  'no-commit',
  'record-origin',
  'signoff',
]);
/** Below `modules`, another repository could begin in such a folder. */
const DATA = new Set(['objects', 'refs', 'logs', 'branches', 'lfs', 'reftable', 'lost-found', 'rr-cache']);

/**
 * A second look at a file of a repository that its name alone refuses: passes it if its content is
 * harmless, asks with its lines if a person can judge them, and otherwise leaves the refusal. The
 * content is the exact one to be kept.
 */
export function gitPartRefusal(
  part: GitPart,
  refusal: ChangeRefusal,
  change: ObservedChange,
  place: ChangePlace,
): ChangeRefusal | undefined {
  const { before, after } = place.text ?? {};
  if (!isRead(change.kind, after) || !isRead(change.was, before)) return refusal;
  const text = after ?? '';
  switch (part) {
    case 'settings':
      return settingsRefusal(refusal, before ?? '', text, place);
    case 'pointer':
      if (pointsInside(after ?? before ?? '', place)) return undefined;
      return shown(refusal, 'would lead git to other settings', after);
    case 'hook':
      if (after === undefined) return asks('is a hook, which git would no longer run');
      return shown(refusal, 'is a hook, a program that git runs', after);
    default:
      if (isHarmlessState(part, text)) return undefined;
      return part === 'steps' ? shown(refusal, 'holds steps that git takes later', after) : refusal;
  }
}

/** True if there is nothing, or a file whose text is known. */
function isRead(kind: ObservedChange['kind'], text: string | undefined): boolean {
  return kind === 'missing' || (kind === 'file' && text !== undefined);
}

function settingsRefusal(
  refusal: ChangeRefusal,
  before: string,
  after: string,
  place: ChangePlace,
): ChangeRefusal | undefined {
  const isInside = (worktree: string) => below(worktree, place) !== undefined;
  const change = settingsChange(before, after, isInside);
  if (change.type === 'harmless') return undefined;
  return change.type === 'asks' ? asks(`would say: ${change.clauses.join('; ')}`) : refusal;
}

function isHarmlessState(part: 'steps' | 'author' | 'strategy' | 'options', text: string): boolean {
  if (part === 'steps') return text.split('\n').every((line) => STEP.test(line.trim()));
  if (part === 'strategy') return STRATEGIES.has(text.trim());
  if (part === 'author') return text.split('\n').every((line) => line === '' || AUTHOR.test(line));
  const { settings, isPlain } = readGitConfig(text);
  return isPlain && settings.every(({ section, name }) => section === 'options' && OPTIONS.has(name));
}

/** With all its lines, or not at all. */
function shown(refusal: ChangeRefusal, what: string, text: string | undefined): ChangeRefusal {
  if (text === undefined || text.length > MOST_SHOWN) return refusal;
  return asks(`${what}: ${text.trimEnd().split('\n').join(' ⏎ ')}`);
}

function asks(reason: string): ChangeRefusal {
  return { decision: 'escalate', rule: 'git-settings', reason };
}

/**
 * True for the pointers of worktrees and submodules, if both ends lie in the working folder and the
 * repository is below a `.git`, where every change is judged.
 */
function pointsInside(text: string, place: ChangePlace): boolean {
  const [name, around, ...above] = [...place.names].reverse();
  const line = /^([^\n\p{C}]+)\n?$/u.exec(text)?.[1];
  if (line === undefined) return false;
  // `.git/worktrees/NAME/FILE`
  const isInWorktree = above[0] === 'worktrees' && above[1] === '.git' && around !== undefined;
  switch (name) {
    case 'commondir':
      return isInWorktree && line === '../..';
    case 'gitdir':
      return isInWorktree && below(line, place)?.at(-1) === '.git';
    case '.git':
      return isRepository(below(/^gitdir: (.+)$/.exec(line)?.[1] ?? '', place) ?? []);
    default:
      return false;
  }
}

function isRepository(names: readonly string[]): boolean {
  const at = names.indexOf('.git');
  const [kind, ...rest] = names.slice(at + 1);
  if (at < 0 || rest.length === 0) return false;
  if (kind === 'worktrees') return rest.length === 1;
  return kind === 'modules' && !rest.some((name) => DATA.has(name));
}

/**
 * The components below the working folder of a path as git reads it in a file of the given place;
 * undefined if it leads outside, or to the working folder itself.
 */
function below(path: string, { names, workingFolder }: ChangePlace): readonly string[] | undefined {
  const isAbsolute = path.startsWith('/');
  if (path === '' || (isAbsolute && !path.startsWith(`${workingFolder}/`))) return undefined;
  const found = isAbsolute ? [] : names.slice(0, -1);
  for (const name of (isAbsolute ? path.slice(workingFolder.length) : path).split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') found.push(name);
    else if (found.pop() === undefined) return undefined;
  }
  return found.length === 0 ? undefined : found;
}

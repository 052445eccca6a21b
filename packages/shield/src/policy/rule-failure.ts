import { isAbsolute, normalize } from 'node:path/posix';
import type { Action, ActionPath } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import type { Glob } from './glob.ts';
import { matchHost } from './host-pattern.ts';
import { type GlobBudget, matchGlob } from './match-glob.ts';
import type { PolicyList, RuleMatch } from './policy.ts';

/** What a shell could begin another command, or another file's contents, with. */
const SHELL_OPERATORS = ';&|<>()$`\n\r';

/**
 * The first condition of a rule that does not hold for an action, in words; undefined if all hold.
 * @throws BulkheadError if the action can't be judged: a path that is not resolved, a budget that is spent
 */
export function ruleFailure(
  list: PolicyList,
  match: RuleMatch,
  action: Action,
  budget: GlobBudget,
): string | undefined {
  const { tool, group, path, access, command, host } = match;
  if (tool !== undefined && !tool.includes(action.tool)) return `tool is ${quote(action.tool)}`;
  if (group !== undefined && !group.includes(action.metadata.group)) {
    return `group is ${quote(action.metadata.group)}`;
  }
  if (path !== undefined || access !== undefined) {
    const failure = pathFailure(list, match, action, budget);
    if (failure !== undefined) return failure;
  }
  if (host !== undefined) {
    const failure = hostFailure(list, host, action);
    if (failure !== undefined) return failure;
  }
  return command === undefined ? undefined : commandFailure(list, command, action, budget);
}

function hostFailure(list: PolicyList, patterns: readonly string[], action: Action): string | undefined {
  const { hosts = [] } = action.metadata;
  const holds = (host: string): boolean => patterns.some((pattern) => matchHost(pattern, host));
  if (hosts.length === 0) return 'the action names no host';
  if (list !== 'allow') return hosts.some(holds) ? undefined : 'no host of the action matches';
  const other = hosts.find((host) => !holds(host));
  return other === undefined ? undefined : `host ${quote(other)} does not match`;
}

function pathFailure(
  list: PolicyList,
  match: RuleMatch,
  action: Action,
  budget: GlobBudget,
): string | undefined {
  const { paths } = action.metadata;
  const holds = (path: ActionPath): boolean => pathHolds(match, path, action, budget);
  if (paths.length === 0) return 'the action names no path';
  if (list !== 'allow') return paths.some(holds) ? undefined : 'no path of the action matches';
  const other = paths.find((path) => !holds(path));
  return other === undefined ? undefined : `path ${quote(other.path)} (${other.access}) does not match`;
}

function pathHolds(
  { path: globs, access }: RuleMatch,
  path: ActionPath,
  action: Action,
  budget: GlobBudget,
): boolean {
  if (access !== undefined && !access.includes(path.access)) return false;
  if (globs === undefined) return true;
  const input = {
    separators: '/',
    variables: { workingFolder: folderPrefix(action.metadata.workingFolder) },
  };
  const text = resolved(path.path);
  return globs.some((glob) => matchGlob(glob, text, input, budget));
}

function commandFailure(
  list: PolicyList,
  globs: readonly Glob[],
  action: Action,
  budget: GlobBudget,
): string | undefined {
  const { command } = action.metadata;
  if (command === undefined) return 'the action is no command';
  const input = { separators: list === 'allow' ? SHELL_OPERATORS : '' };
  return globs.some((glob) => matchGlob(glob, command, input, budget))
    ? undefined
    : 'the command does not match';
}

/** A path that still has to be walked (`..`) could pass a pattern and lead elsewhere. */
function resolved(path: string): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (!isAbsolute(plain) || normalize(plain) !== plain || plain.includes('\0')) {
    throw new BulkheadError('internal', `path ${quote(path)} of the action is not resolved`);
  }
  return plain;
}

/** Without the last slash, so that a pattern may go on with one; empty for the root. */
function folderPrefix(folder: string): string {
  const plain = resolved(folder);
  return plain === '/' ? '' : plain;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

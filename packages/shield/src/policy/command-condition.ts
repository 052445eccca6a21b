import type { Action } from '@bulkhead/protocol';
import { type ArgvPattern, matchArgv } from '../patterns/argv-pattern.ts';
import type { Glob } from '../patterns/glob.ts';
import { type GlobBudget, matchGlob } from '../patterns/match-glob.ts';
import type { PolicyList } from './policy.ts';
import type { PolicyFacts, SimpleCommand } from './policy-case.ts';
import { failureAmong, letsPass, quote } from './wording.ts';

/** Characters with which a shell can start another command or insert a file's content. */
const SHELL_OPERATORS = ';&|<>()$`\n\r';

/** Returns why `command` does not hold. */
export function commandFailure(
  list: PolicyList,
  globs: readonly Glob[],
  action: Action,
  budget: GlobBudget,
): string | undefined {
  const { command } = action.metadata;
  if (command === undefined) return 'the action is no command';
  const input = { separators: letsPass(list) ? SHELL_OPERATORS : '' };
  return globs.some((glob) => matchGlob(glob, command, input, budget))
    ? undefined
    : 'the command does not match';
}

/** Returns why `argv` does not hold. */
export function argvFailure(
  list: PolicyList,
  patterns: readonly ArgvPattern[],
  action: Action,
  { startedBy }: PolicyFacts,
  budget: GlobBudget,
): string | undefined {
  const { command } = action.metadata;
  if (command === undefined) return 'the action is no command';
  const holds = letsPass(list)
    ? ({ words, plain }: SimpleCommand) =>
        plain && !words.includes(undefined) && patterns.some((pattern) => matchArgv(pattern, words, budget))
    : ({ words }: SimpleCommand) => patterns.some((pattern) => matchAnywhere(pattern, words, budget));
  return failureAmong(list, 'simple command', startedBy?.(action), holds, ({ words }) =>
    quote(words.map((word) => word ?? '…').join(' ')),
  );
}

/** A program matches in any folder, unless the pattern names one. */
function matchAnywhere(
  pattern: ArgvPattern,
  words: readonly (string | undefined)[],
  budget: GlobBudget,
): boolean {
  if (matchArgv(pattern, words, budget)) return true;
  const [program, ...rest] = words;
  if (program === undefined || !program.includes('/')) return false;
  return matchArgv(pattern, [program.slice(program.lastIndexOf('/') + 1), ...rest], budget);
}

import { type Action, CLIENT_CHANNELS, UNNAMED_CLIENT } from '@bulkhead/protocol';
import { annotationOfCall } from '../annotations/annotation-of-call.ts';
import { type ArgvPattern, matchArgv } from '../patterns/argv-pattern.ts';
import type { Glob } from '../patterns/glob.ts';
import { matchHost } from '../patterns/host-pattern.ts';
import { type GlobBudget, matchGlob } from '../patterns/match-glob.ts';
import { folderFailure, pathFailure } from './path-condition.ts';
import type { PolicyList, RuleMatch, TaintMatch } from './policy.ts';
import type { PolicyCase, PolicyFacts, SimpleCommand } from './policy-case.ts';
import { isWithin, type TimeWindow } from './time-window.ts';
import { failureAmong, failureOf, letsPass, quote } from './wording.ts';

/**
 * Returns why one condition of a rule does not hold; undefined if it holds, or the rule doesn't
 * have it.
 */
type Condition = (
  list: PolicyList,
  match: RuleMatch,
  about: PolicyCase,
  budget: GlobBudget,
) => string | undefined;

/** Cheap conditions come first. */
const CONDITIONS: readonly Condition[] = [
  (list, { tool }, { action }) => tool && failureOf(list, 'tool', action.tool, tool),
  (list, { group }, { action }) => group && failureOf(list, 'group', action.metadata.group, group),
  (list, { channel }, { facts }) => channel && failureOf(list, 'channel', facts.channel, widened(channel)),
  (list, { sender }, { facts }) => sender && failureOf(list, 'sender', facts.sender, sender),
  (list, { profile }, { facts }) => profile && failureOf(list, 'profile', facts.profile, profile),
  (list, { sessionMode }, { facts }) =>
    sessionMode &&
    failureAmong(list, 'session mode', facts.modes, (mode) => sessionMode.includes(mode), quote),
  (list, { taint }, { facts }) => taint && taintFailure(list, taint, facts),
  (list, { time }, { facts }) => time && timeFailure(list, time, facts),
  (list, { host }, { action }) => host && hostFailure(list, host, hostsOf(list, action)),
  (_list, { folder }, { action }, budget) => folder && folderFailure(folder, action, budget),
  (list, match, { action }, budget) =>
    match.path === undefined && match.access === undefined
      ? undefined
      : pathFailure(list, match, action, budget),
  (list, { recipient }, { action, facts }, budget) =>
    recipient && recipientFailure(list, recipient, action, facts, budget),
  (list, { command }, { action }, budget) => command && commandFailure(list, command, action, budget),
  (list, { argv }, { action, facts }, budget) => argv && argvFailure(list, argv, action, facts, budget),
];

/**
 * Describes the first condition of a rule that does not hold; undefined if all hold.
 * @throws BulkheadError if the action can't be judged: an unresolved path, an exhausted budget
 */
export function ruleFailure(
  list: PolicyList,
  match: RuleMatch,
  about: PolicyCase,
  budget: GlobBudget,
): string | undefined {
  for (const condition of CONDITIONS) {
    const failure = condition(list, match, about, budget);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function widened(channels: readonly string[]): readonly string[] {
  return channels.includes(UNNAMED_CLIENT) ? [...channels, ...CLIENT_CHANNELS] : channels;
}

/** No person's permission for a host is stronger than a deny rule. */
function hostsOf(list: PolicyList, { metadata }: Action): readonly string[] {
  const granted = list === 'deny' ? (metadata.granted ?? []) : [];
  return [...(metadata.hosts ?? []), ...granted.map((place) => place.slice(0, place.lastIndexOf(':')))];
}

function hostFailure(list: PolicyList, patterns: readonly string[], hosts: readonly string[]) {
  const holds = (host: string): boolean => patterns.some((pattern) => matchHost(pattern, host));
  return failureAmong(list, 'host', hosts, holds, quote);
}

/** Characters with which a shell can start another command or insert a file's content. */
const SHELL_OPERATORS = ';&|<>()$`\n\r';

/** Returns why `command` does not hold. */
function commandFailure(
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
function argvFailure(
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
  const [program] = words;
  if (program === undefined || !program.includes('/')) return false;
  return matchArgv(pattern, words, budget, program.slice(program.lastIndexOf('/') + 1));
}

/** Separators between recipients, and between a name and its domain. */
const SEPARATORS = '@,;<>"\' \t\n\r';

/** Returns why `recipient` does not hold. */
function recipientFailure(
  list: PolicyList,
  globs: readonly Glob[],
  action: Action,
  facts: PolicyFacts,
  budget: GlobBudget,
): string | undefined {
  const holds = (recipient: string): boolean =>
    globs.some((glob) => matchGlob(glob, recipient.toLowerCase(), { separators: SEPARATORS }, budget));
  return failureAmong(list, 'recipient', recipientsOf(action, facts), holds, quote);
}

/** Undefined if the tool is unknown, or a recipient is not text. */
function recipientsOf(action: Action, { annotations }: PolicyFacts): string[] | undefined {
  const annotation = annotations && annotationOfCall(annotations, action);
  if (annotation === undefined) return undefined;
  const values = Object.entries(action.arguments).flatMap(([name, value]) =>
    roleOf(annotation.arguments, name) === 'recipient' ? [value].flat() : [],
  );
  const texts = values.flatMap((value) => (typeof value === 'string' ? [value] : []));
  return texts.length === values.length ? texts : undefined;
}

function roleOf(roles: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/** Returns why `taint` does not hold. */
function taintFailure(
  list: PolicyList,
  { secrecy, trust }: TaintMatch,
  { taint }: PolicyFacts,
): string | undefined {
  const failures = [
    secrecy === undefined ? undefined : failureOf(list, 'secrecy', taint?.secrecy, secrecy),
    trust === undefined ? undefined : failureOf(list, 'trust', taint?.trust, trust),
  ];
  return failures.find((failure) => failure !== undefined);
}

/** Returns why `time` does not hold. */
function timeFailure(
  list: PolicyList,
  windows: readonly TimeWindow[],
  { now }: PolicyFacts,
): string | undefined {
  if (now === undefined) return letsPass(list) ? 'the time is not known' : undefined;
  return windows.some((window) => isWithin(window, now)) ? undefined : 'it is another time';
}

import { CLIENT_CHANNELS, UNNAMED_CLIENT } from '@bulkhead/protocol';
import { matchHost } from '../patterns/host-pattern.ts';
import type { GlobBudget } from '../patterns/match-glob.ts';
import { argvFailure, commandFailure } from './command-condition.ts';
import { folderFailure, pathFailure } from './path-condition.ts';
import type { PolicyList, RuleMatch } from './policy.ts';
import type { PolicyCase } from './policy-case.ts';
import { recipientFailure } from './recipient-condition.ts';
import { taintFailure, timeFailure } from './session-conditions.ts';
import { failureAmong, failureOf, quote } from './wording.ts';

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
  (list, { host }, { action }) => host && hostFailure(list, host, action.metadata.hosts ?? []),
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

function hostFailure(list: PolicyList, patterns: readonly string[], hosts: readonly string[]) {
  const holds = (host: string): boolean => patterns.some((pattern) => matchHost(pattern, host));
  return failureAmong(list, 'host', hosts, holds, quote);
}

import { WRITES_ITSELF } from '@bulkhead/processes/boxes/command-box';
import type { Action, Verdict } from '@bulkhead/protocol';
import type { PipelineParts } from './pipeline-parts.ts';

/** The rule for a command that runs without a sandbox. */
export const UNBOXED = 'commands/unboxed';

/** Part of the question: the chronicle covers only effects that are held back (FT90). */
const NO_WAY_BACK = 'what it writes can not be undone';

/** The part of the pipeline that knows how commands of a folder run. */
type HeldBack = Pick<PipelineParts, 'everyCommandAsks'>;

/**
 * A command with effects that cannot all be held back until judged needs a person's approval, even
 * if the policy allows it: policy rules assume that effects are held back.
 *
 * @returns an escalation, or undefined; the rule `UNBOXED` needs an approval of exactly this action
 */
export function uncontained(action: Action, parts: HeldBack): Verdict | undefined {
  const { command, hosts = [], background = false, live = false, workingFolder } = action.metadata;
  if (command === undefined) return undefined;
  const everyCommand = parts.everyCommandAsks(workingFolder, background);
  if (everyCommand !== undefined) {
    return ask(everyCommand.rule, `${everyCommand.reason}; ${NO_WAY_BACK}`);
  }
  // With hosts it has a network of its own, from which nothing can go on.
  if (background && (live || hosts.length > 0)) {
    return ask(WRITES_ITSELF.rule, `${WRITES_ITSELF.reason}; ${NO_WAY_BACK}`);
  }
  if (hosts.length === 0) return undefined;
  return ask('commands/network', `it may reach ${hosts.join(', ')}: its effects there can not be undone`);
}

function ask(rule: string, reason: string): Verdict {
  return { decision: 'escalate', tier: 0, rule, reason, confidence: 1 };
}

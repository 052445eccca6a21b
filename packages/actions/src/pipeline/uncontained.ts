import type { CommandQuestion } from '@bulkhead/processes/boxes/command-box';
import type { Action, Verdict } from '@bulkhead/protocol';

/** The rule for a command that runs without a sandbox. */
export const UNBOXED = 'commands/unboxed';

/** Part of the question: the chronicle covers only effects that are held back (FT90). */
const NO_WAY_BACK = 'what it writes can not be undone';

/**
 * A command with effects that cannot all be held back until judged needs a person's approval, even
 * if the policy allows it: policy rules assume that effects are held back.
 *
 * @param everyCommandAsks why every command of a folder is of this kind
 * @returns an escalation, or undefined; the rule `UNBOXED` needs an approval of exactly this action
 */
export function uncontained(
  action: Action,
  everyCommandAsks: (workingFolder: string) => CommandQuestion | undefined,
): Verdict | undefined {
  const { command, hosts = [], background, workingFolder } = action.metadata;
  if (command === undefined) return undefined;
  const everyCommand = everyCommandAsks(workingFolder);
  if (everyCommand !== undefined) {
    return ask(everyCommand.rule, `${everyCommand.reason}; ${NO_WAY_BACK}`);
  }
  if (background === true) {
    return ask('commands/background', `it goes on, and writes the folder itself; ${NO_WAY_BACK}`);
  }
  if (hosts.length === 0) return undefined;
  return ask('commands/network', `it may reach ${hosts.join(', ')}: its effects there can not be undone`);
}

function ask(rule: string, reason: string): Verdict {
  return { decision: 'escalate', tier: 0, rule, reason, confidence: 1 };
}

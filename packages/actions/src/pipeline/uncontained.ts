import type { CommandQuestion } from '@bulkhead/processes/boxes/command-box';
import type { Action, Verdict } from '@bulkhead/protocol';

/** The rule of a command that runs in no box. */
export const UNBOXED = 'commands/unboxed';

/** Said before a person is asked: the chronicle only knows what waits to be kept (FT90). */
const NO_WAY_BACK = 'what it writes can not be undone';

/**
 * A command whose effects can't all be held back until they were judged needs a person's yes, whatever policy allows: rules
 * were written for commands that wait.
 *
 * @param everyCommandAsks why every command of a folder is such a one; undefined if it isn't
 * @returns an escalation, or undefined; `UNBOXED` is the rule of one that only a person's own yes allows
 */
export function uncontained(
  action: Action,
  everyCommandAsks: ((workingFolder: string) => CommandQuestion | undefined) | undefined,
): Verdict | undefined {
  const { command, hosts = [], background, workingFolder } = action.metadata;
  if (command === undefined) return undefined;
  const everyCommand = everyCommandAsks?.(workingFolder);
  if (everyCommand !== undefined) {
    return ask(everyCommand.rule, `${everyCommand.reason}; ${NO_WAY_BACK}`);
  }
  if (background === true) {
    return ask('commands/background', `it goes on, and writes the folder itself; ${NO_WAY_BACK}`);
  }
  if (hosts.length === 0) return undefined;
  return ask('commands/network', `it may reach ${hosts.join(', ')}: what it does there can't be taken back`);
}

function ask(rule: string, reason: string): Verdict {
  return { decision: 'escalate', tier: 0, rule, reason, confidence: 1 };
}

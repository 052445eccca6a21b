import type { Action, Verdict } from '@bulkhead/protocol';

/** Said before a person is asked: the chronicle only knows what waits to be kept (FT90). */
const NO_WAY_BACK = 'what it writes can not be undone';

/**
 * A command whose effects can't all be held back until they were judged needs a person's yes, whatever policy allows: rules
 * were written for commands that wait.
 *
 * @param everyCommand why every command on this machine is such a one; undefined if it isn't
 * @returns an escalation, or undefined
 */
export function uncontained(action: Action, everyCommand: string | undefined): Verdict | undefined {
  const { command, hosts = [], background } = action.metadata;
  if (command === undefined) return undefined;
  if (everyCommand !== undefined) return ask('commands/unboxed', `${everyCommand}; ${NO_WAY_BACK}`);
  if (background === true)
    return ask('commands/background', `it goes on, and writes the folder itself; ${NO_WAY_BACK}`);
  if (hosts.length === 0) return undefined;
  return ask('commands/network', `it may reach ${hosts.join(', ')}: what it does there can't be taken back`);
}

function ask(rule: string, reason: string): Verdict {
  return { decision: 'escalate', tier: 0, rule, reason, confidence: 1 };
}

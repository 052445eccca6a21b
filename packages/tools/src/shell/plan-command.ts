import {
  type CommandEffects,
  describeError,
  type SettleCommand,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
} from '@bulkhead/protocol';
import { changeLines, countChanges, countText } from './change-list.ts';

/** Changes that a dry run shows one by one. */
const SHOWN_CHANGES = 100;
const DROPPED = 'it was only tried';

/**
 * What a call of `bash` would do [A5]: it runs on the overlay, its changes are looked at and thrown away.
 *
 * @param run runs the call and asks the given function about its changes
 */
export async function planCommand(
  call: ToolHostCall,
  run: (settle: SettleCommand) => Promise<ToolResult>,
): Promise<ToolPlan> {
  try {
    let seen: CommandEffects | undefined;
    const result = await run(async (effects) => {
      seen = effects;
      return { commit: false, reason: DROPPED };
    });
    const changes = seen?.changes ?? [];
    const tried = result.effects !== undefined;
    const output = result.text.replace(`[nothing it changed was kept: ${DROPPED}]`, '').trimEnd();
    const head = tried
      ? `It was tried in ${call.workingFolder}, on a copy that is thrown away; it would change there: ${countText(countChanges(changes))}`
      : `It could not be tried in ${call.workingFolder}`;
    const lines = [`${head}.`, ...changeLines(changes, SHOWN_CHANGES), commandLine(call), output].filter(
      Boolean,
    );
    const isError = !tried || failed(result, seen);
    return { text: lines.join('\n'), isError, changes: [], ...(seen === undefined ? {} : { effects: seen }) };
  } catch (error) {
    return { text: describeError(error), isError: true, changes: [] };
  }
}

/** What can be said of a command whose effects nothing would hold back: that, and nothing more. */
export function untried(call: ToolHostCall): ToolPlan {
  const text = `It was not tried in ${call.workingFolder}: what it does there is done at once.`;
  return { text: `${text}\n${commandLine(call)}`, isError: false, changes: [] };
}

function commandLine({ parsed }: ToolHostCall): string {
  return `$ ${parsed.command ?? ''}`;
}

/** That its changes were not kept is no failure of a command that was only tried. */
function failed({ isError }: ToolResult, seen: CommandEffects | undefined): boolean {
  return seen === undefined ? isError : seen.status !== 0;
}

import {
  type CommandEffects,
  describeError,
  type SettleCommand,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
} from '@bulkhead/protocol';
import { changeLines, countChanges, countText } from './change-list.ts';

/** Number of changes that a dry run lists. */
const SHOWN_CHANGES = 100;
const DROPPED = 'it was only tried';

/**
 * Plans a call of `bash` [A5]: runs it on the overlay, lists its changes and discards them.
 *
 * @param run runs the call and passes its changes to the given function
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

/** The only plan for a command whose effects can't be held back: a statement of that. */
export function untried(call: ToolHostCall): ToolPlan {
  const text = `It was not tried in ${call.workingFolder}: what it does there is done at once.`;
  return { text: `${text}\n${commandLine(call)}`, isError: false, changes: [] };
}

function commandLine({ parsed }: ToolHostCall): string {
  return `$ ${parsed.command ?? ''}`;
}

/** A dry run discards its changes, so that is not a failure. */
function failed({ isError }: ToolResult, seen: CommandEffects | undefined): boolean {
  return seen === undefined ? isError : seen.status !== 0;
}

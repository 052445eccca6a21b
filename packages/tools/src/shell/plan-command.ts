import { BulkheadError, describeError, type ToolHostCall, type ToolPlan } from '@bulkhead/protocol';
import { bashTool } from '../definitions/bash-tool.ts';
import { readArguments } from '../read-arguments.ts';

const UNFORESEEN = '[what a command changes can not be told before it runs; it was not run]';

/** What a call of `bash` would do, as far as that is known without running it [A5]. Starts nothing. */
export function planCommand(call: ToolHostCall): ToolPlan {
  try {
    const { command, timeout_seconds: seconds } = commandOf(call);
    const text = `would run in ${call.workingFolder}, for at most ${seconds} s:\n${command}\n${UNFORESEEN}`;
    return { text, isError: false, changes: [] };
  } catch (error) {
    return { text: describeError(error), isError: true, changes: [] };
  }
}

/** @throws BulkheadError `unknown_tool`, `invalid_arguments` */
export function commandOf(call: ToolHostCall): ReturnType<typeof bashTool.parse> {
  if (call.tool !== bashTool.name)
    throw new BulkheadError('unknown_tool', `no shell tool is named ${call.tool}`);
  return bashTool.parse(readArguments(bashTool.name, call.canonicalArguments));
}

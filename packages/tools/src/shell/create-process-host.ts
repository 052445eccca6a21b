import { BulkheadError, describeError, type ToolHost, type ToolHostCall } from '@bulkhead/protocol';
import { processListTool, processStopTool } from '../definitions/process-tools.ts';
import { readArguments } from '../read-arguments.ts';
import type { BackgroundCommand, BackgroundCommands } from './background-commands.ts';

/** The host of `process_list` and `process_stop`: a session sees its own commands only. */
export function createProcessHost(commands: BackgroundCommands): ToolHost {
  const run = async (call: ToolHostCall): Promise<string> => {
    const { tool, sessionId } = call;
    const args = readArguments(tool, call.canonicalArguments);
    if (tool === processListTool.name) return listText(await commands.look(sessionId));
    if (tool !== processStopTool.name)
      throw new BulkheadError('unknown_tool', `no process tool is named ${tool}`);
    const { id } = processStopTool.parse(args);
    const stopped = await commands.stop(id, sessionId);
    if (stopped !== undefined) return [`${id} is stopped.`, ...remarkLines(stopped)].join('\n');
    throw new BulkheadError('invalid_arguments', `this session has no background command ${id}`);
  };
  return {
    async execute(call) {
      try {
        return { text: await run(call), isError: false };
      } catch (error) {
        return { text: describeError(error), isError: true };
      }
    },
    plan: async ({ tool }) => ({ text: `${tool} would be called.`, isError: false, changes: [] }),
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

function listText(commands: readonly BackgroundCommand[]): string {
  if (commands.length === 0) return 'No background command.';
  return commands
    .flatMap((one) => [
      `${one.id} ${one.ended ?? 'runs'}: ${one.command} (${one.outputPath})`,
      ...remarkLines(one),
    ])
    .join('\n');
}

function remarkLines({ remarks }: BackgroundCommand): readonly string[] {
  return remarks.map((remark) => `[${remark}]`);
}

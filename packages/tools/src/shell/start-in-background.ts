import { BulkheadError, type ToolHostCall, type ToolResult } from '@bulkhead/protocol';
import type { BackgroundCommands } from './background-commands.ts';
import type { OutputFile } from './output-file.ts';
import type { StartedCommand } from './started-command.ts';

/** Starts a command that continues after its call. Its file receives the output from now on. */
export async function startInBackground(
  commands: BackgroundCommands | undefined,
  run: {
    begin(signal: AbortSignal): Promise<StartedCommand>;
    readonly call: ToolHostCall;
    readonly command: string;
    readonly file: OutputFile;
  },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { call, command, file } = run;
  if (commands === undefined) {
    throw new BulkheadError('not_available', 'no command goes on after its call here');
  }
  const { id, outputPath } = await commands.start(call, command, () => run.begin(signal), file);
  const text = `It runs in the background as ${id}. What it says is in ${outputPath}; process_stop ends it.`;
  return { text, isError: false };
}

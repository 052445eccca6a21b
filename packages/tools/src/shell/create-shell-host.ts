import type { ChildProcess, StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import {
  BulkheadError,
  describeError,
  type ToolHost,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { OutputCapture } from './output-capture.ts';
import { OutputFile } from './output-file.ts';
import { PacedUpdate } from './paced-update.ts';
import { commandOf, planCommand } from './plan-command.ts';
import { runShellProcess } from './run-shell-process.ts';
import { type ShellSurroundings, shellEnvironment } from './shell-environment.ts';
import { boxError, shellResult } from './shell-result.ts';

/** A shell command as it is to be started, in whatever box. */
export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: StdioOptions;
}

export interface ShellHostOptions extends ShellSurroundings {
  /**
   * Starts the command in a box of the caller's making. A box that can't be made must not start it: the
   * function throws, or the child ends with status 125 and one line of the launcher's.
   */
  readonly launch: (command: ShellCommand, call: ToolHostCall) => ChildProcess;
  /** Absolute folder in which the full output of a cut result is kept, as `<session>/<action>.txt`. */
  readonly outputs: string;
  /** Size limit of one such file; 64 MiB if absent. */
  readonly maxOutputFileBytes?: number;
}

const MAX_OUTPUT_FILE_BYTES = 64 * 1024 * 1024;
/** What a session or action id may be to become a file's name. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The host of `bash`: one process per call, no state between calls. */
export function createShellHost(options: ShellHostOptions): ToolHost {
  const env = shellEnvironment(options);
  return {
    async execute(call, update, signal) {
      try {
        return await runCommand(call, env, options, update, signal);
      } catch (error) {
        return { text: describeError(error), isError: true };
      }
    },
    plan: async (call) => planCommand(call),
    // What a command changed leaves no trace here that its own words could be checked against.
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

async function runCommand(
  call: ToolHostCall,
  env: Readonly<Record<string, string>>,
  options: ShellHostOptions,
  update: ToolUpdate,
  signal: AbortSignal,
): Promise<ToolResult> {
  const args = commandOf(call);
  const file = new OutputFile(
    outputPath(options.outputs, call),
    options.maxOutputFileBytes ?? MAX_OUTPUT_FILE_BYTES,
  );
  if (signal.aborted) return { text: '[stopped: cancelled]', isError: true };
  const child = launch(call, args.command, env, options);
  if (BulkheadError.is(child)) return boxError(child.message);
  const capture = new OutputCapture(file);
  using paced = new PacedUpdate(update);
  const take = async (source: number, bytes: Buffer) => paced.add(await capture.add(source, bytes));
  try {
    const end = await runShellProcess(child, take, args.timeout_seconds * 1000, signal);
    return shellResult(end, await capture.finish(), args.timeout_seconds);
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'sandbox_unavailable') return boxError(error.message);
    throw error;
  } finally {
    await file.close();
  }
}

function launch(
  call: ToolHostCall,
  command: string,
  env: Readonly<Record<string, string>>,
  options: ShellHostOptions,
): ChildProcess | BulkheadError {
  const program: ShellCommand = {
    file: '/bin/bash',
    args: ['--noprofile', '--norc', '-c', command],
    cwd: call.workingFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  try {
    return options.launch(program, call);
  } catch (error) {
    return BulkheadError.from(error);
  }
}

function outputPath(outputs: string, call: ToolHostCall): string {
  if (!PLAIN_ID.test(call.sessionId) || !PLAIN_ID.test(call.actionId)) {
    throw new BulkheadError('internal', 'a session or action id is no plain name');
  }
  return join(outputs, call.sessionId, `${call.actionId}.txt`);
}

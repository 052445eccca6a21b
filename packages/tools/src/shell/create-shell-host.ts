import { join } from 'node:path';
import {
  BulkheadError,
  describeError,
  type SettleCommand,
  type ToolHost,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { commandOf } from './command-of.ts';
import { OutputFile } from './output-file.ts';
import { planCommand } from './plan-command.ts';
import { runCommand } from './run-command.ts';
import { proxyEnvironment, type ShellSurroundings, shellEnvironment } from './shell-environment.ts';
import type { ShellCommand, StartedCommand } from './started-command.ts';

export interface ShellHostOptions extends ShellSurroundings {
  /**
   * Starts the command in a box of the caller's making. A box that can't be made must not start it: the
   * function throws, or the child ends with status 125 and one line of the launcher's.
   */
  readonly begin: (command: ShellCommand, call: ToolHostCall, signal: AbortSignal) => Promise<StartedCommand>;
  /** What the host says of itself; false if absent. */
  readonly transactions?: boolean;
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
  const run = (
    call: ToolHostCall,
    update: ToolUpdate,
    signal: AbortSignal,
    settle: SettleCommand | undefined,
  ): Promise<ToolResult> => {
    const { command, timeout_seconds: timeoutSeconds, hosts = [] } = commandOf(call);
    const maxBytes = options.maxOutputFileBytes ?? MAX_OUTPUT_FILE_BYTES;
    const file = new OutputFile(outputPath(options.outputs, call), maxBytes);
    const args = ['--noprofile', '--norc', '-c', command];
    const program: ShellCommand = {
      file: '/bin/bash',
      args,
      cwd: call.workingFolder,
      env: { ...env, ...proxyEnvironment(hosts) },
      hosts,
    };
    const begin = (until: AbortSignal) => options.begin(program, call, until);
    return runCommand({ begin, call, timeoutSeconds, file }, update, signal, settle);
  };
  return {
    transactions: options.transactions ?? false,
    async execute(call, update, signal, settle) {
      try {
        return await run(call, update, signal, settle);
      } catch (error) {
        // Whether it took effect must be found out, and nobody here can.
        if (BulkheadError.is(error) && error.code === 'worker_failed') throw error;
        return { text: describeError(error), isError: true };
      }
    },
    plan: (call, signal) => planCommand(call, (settle) => run(call, () => {}, signal, settle)),
    // What a command changed leaves no trace here that its own words could be checked against.
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

function outputPath(outputs: string, call: ToolHostCall): string {
  if (!PLAIN_ID.test(call.sessionId) || !PLAIN_ID.test(call.actionId)) {
    throw new BulkheadError('internal', 'a session or action id is no plain name');
  }
  return join(outputs, call.sessionId, `${call.actionId}.txt`);
}

import { join } from 'node:path';
import {
  BulkheadError,
  describeError,
  type Redaction,
  type SettleCommand,
  type ToolHost,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { executionOn } from '../definitions/define-tool.ts';
import type { BackgroundCommands } from './background-commands.ts';
import { OutputFile } from './output-file.ts';
import { planCommand, untried } from './plan-command.ts';
import { runCommand } from './run-command.ts';
import { proxyEnvironment, type ShellSurroundings, shellEnvironment } from './shell-environment.ts';
import { startInBackground } from './start-in-background.ts';
import type { ShellCommand, StartedCommand } from './started-command.ts';

export interface ShellHostOptions extends ShellSurroundings {
  /**
   * Starts the command in a box of the caller's making. A box that can't be made must not start it: the
   * function throws, or the child ends with status 125 and one line of the launcher's. `update` takes a line for who
   * watches, while it can't start yet.
   */
  readonly begin: (
    command: ShellCommand,
    call: ToolHostCall,
    signal: AbortSignal,
    update: ToolUpdate,
  ) => Promise<StartedCommand>;
  /** Takes over what goes on after its call; absent, nothing may. */
  readonly background?: BackgroundCommands;
  /** What the host says of itself; false if absent. */
  readonly transactions?: boolean;
  /** Absolute folder in which the full output of a cut result is kept, as `<session>/<action>.txt`. */
  readonly outputs: string;
  /** Size limit of one such file; 64 MiB if absent. */
  readonly maxOutputFileBytes?: number;
  /** Of what is kept, and of what is shown of a cut result; absent, output stays as it is. */
  readonly redaction?: Redaction;
  /** Hears why a file of output could not be written; the command goes on. */
  readonly onOutputError?: (error: unknown) => void;
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
    const { command, timeoutSeconds, hosts, background } = executionOn('shell', call);
    const maxBytes = options.maxOutputFileBytes ?? MAX_OUTPUT_FILE_BYTES;
    const { redaction, onOutputError } = options;
    const path = outputPath(options.outputs, call);
    const file = new OutputFile(path, maxBytes, redaction?.redactor(), onOutputError);
    const args = ['--noprofile', '--norc', '-c', command];
    const program: ShellCommand = {
      file: '/bin/bash',
      args,
      cwd: call.workingFolder,
      env: { ...env, ...proxyEnvironment(hosts) },
      hosts,
      background,
    };
    const begin = (until: AbortSignal) => options.begin(program, call, until, update);
    if (background) return startInBackground(options.background, { begin, call, command, file }, signal);
    return runCommand({ begin, call, timeoutSeconds, file, redaction }, update, signal, settle);
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
    plan: (call, signal) =>
      isHeldBack(options, call)
        ? planCommand(call, (settle) => run(call, () => {}, signal, settle))
        : Promise.resolve(untried(call)),
    // What a command changed leaves no trace here that its own words could be checked against.
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

/** Only what can be thrown away may be tried [A5]. A call of another host's tool is refused by the plan itself. */
function isHeldBack({ transactions = false }: ShellHostOptions, call: ToolHostCall): boolean {
  try {
    return !executionOn('shell', call).background && transactions;
  } catch {
    return true;
  }
}

function outputPath(outputs: string, call: ToolHostCall): string {
  if (!PLAIN_ID.test(call.sessionId) || !PLAIN_ID.test(call.actionId)) {
    throw new BulkheadError('internal', 'a session or action id is no plain name');
  }
  return join(outputs, call.sessionId, `${call.actionId}.txt`);
}

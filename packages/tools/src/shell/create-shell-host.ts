import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  BulkheadError,
  type CommandEffects,
  describeError,
  type Redaction,
  type SettleCommand,
  type ToolHost,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { executionOn } from '../definitions/define-tool.ts';
import type { BackgroundCommands } from './background-commands.ts';
import { changeLines, countChanges, countText } from './change-list.ts';
import { OutputFile } from './output-file.ts';
import { HELD_VIEW, leftId, runCommand } from './run-command.ts';
import { proxyEnvironment, type ShellSurroundings, shellEnvironment } from './shell-environment.ts';
import type { ShellCommand, StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

export interface ShellHostOptions extends ShellSurroundings {
  /**
   * Starts the command in a box that the caller makes. Without a box the command must not start:
   * the function throws, or the child ends with status 125 and one line from the launcher. `update`
   * receives a line for the user while the start has to wait.
   */
  readonly begin: (
    command: ShellCommand,
    call: ToolHostCall,
    signal: AbortSignal,
    update: ToolUpdate,
  ) => Promise<StartedCommand>;
  /** Takes over commands that outlive their call; absent, none may. */
  readonly background?: BackgroundCommands;
  /** True if every command has a way out, even if it leads nowhere. */
  readonly wayOut?: boolean;
  /** The host's statement about itself; false if absent. */
  readonly transactions?: boolean;
  /** Absolute folder for the full output of a cut result, as `<session>/<action>.txt`. */
  readonly outputs: string;
  /** Size limit of one such file; 64 MiB if absent. */
  readonly maxOutputFileBytes?: number;
  /** Redacts the kept output and the shown part of a cut result; absent, output stays unchanged. */
  readonly redaction?: Redaction;
  /** Receives the reason if a file of output could not be written; the command continues. */
  readonly onOutputError?: (error: unknown) => void;
}

const MAX_OUTPUT_FILE_BYTES = 64 * 1024 * 1024;
/** Session and action ids that may become file names. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The host of `bash`: one process per call, no state between calls. */
export function createShellHost(options: ShellHostOptions): ToolHost {
  const env = shellEnvironment(options);
  const run = (
    call: ToolHostCall,
    update: ToolUpdate,
    signal: AbortSignal,
    settle: SettleCommand | undefined,
    trial: boolean,
  ): Promise<ToolResult> => {
    const { command, timeoutSeconds, hosts, background, live } = executionOn('shell', call);
    const maxBytes = options.maxOutputFileBytes ?? MAX_OUTPUT_FILE_BYTES;
    const { redaction, onOutputError } = options;
    const path = outputPath(options.outputs, call);
    const file = new OutputFile(path, maxBytes, redaction?.redactor(), onOutputError);
    const args = ['--noprofile', '--norc', '-c', command];
    const hasNoWayOut = background && !live && hosts.length === 0;
    const program: ShellCommand = {
      file: '/bin/bash',
      args,
      cwd: call.workingFolder,
      env: { ...env, ...proxyEnvironment(options.wayOut === true && !hasNoWayOut) },
      hosts,
      granted: call.granted ?? [],
      toolchains: call.toolchains ?? [],
      secretFiles: call.secretFiles ?? [],
      folders: call.folders ?? [],
      background,
      live,
      trial,
    };
    const begin = (until: AbortSignal) => options.begin(program, call, until, update);
    if (background) return startInBackground(options.background, { begin, call, command, file }, signal);
    const adopt = (left: StartedCommand, overdue: boolean): boolean => {
      const id = leftId(call.actionId);
      const later = outputPath(options.outputs, { ...call, actionId: id });
      const output = new OutputFile(later, maxBytes, redaction?.redactor(), onOutputError);
      return options.background?.adopt(call, id, { command, started: left, file: output, overdue }) ?? false;
    };
    const hasRoom = () => options.background?.hasRoom(call.sessionId) === true;
    const one = { begin, call, timeoutSeconds, file, redaction, ...(trial ? {} : { adopt, hasRoom }) };
    return runCommand(one, update, signal, settle);
  };
  return {
    transactions: options.transactions ?? false,
    async execute(call, update, signal, settle) {
      try {
        return withLost(await run(call, update, signal, settle, false), call, options.background);
      } catch (error) {
        // Recovery must find out whether it took effect; this host can't.
        if (BulkheadError.is(error) && error.code === 'worker_failed') throw error;
        return { text: describeError(error), isError: true };
      }
    },
    plan: (call, signal) =>
      isHeldBack(options, call)
        ? planCommand(call, (settle) => run(withoutGrants(call), () => {}, signal, settle, true))
        : Promise.resolve(untried(call)),
    // A command's changes leave no trace here to compare its claims with.
    inspect: async ({ paths }) => paths.map((path) => ({ path, hash: undefined })),
  };
}

/**
 * A plan runs only a command whose changes can be discarded [A5]. A call of another host's tool is
 * refused by the plan.
 */
function isHeldBack({ transactions = false }: ShellHostOptions, call: ToolHostCall): boolean {
  try {
    return !executionOn('shell', call).background && transactions;
  } catch {
    return true;
  }
}

/** A trial reaches no server and reads no secret file by a permission that was given for the command itself. */
function withoutGrants({ granted: _, secretFiles: _files, ...call }: ToolHostCall): ToolHostCall {
  return call;
}

function outputPath(outputs: string, call: ToolHostCall): string {
  if (!PLAIN_ID.test(call.sessionId) || !PLAIN_ID.test(call.actionId)) {
    throw new BulkheadError('internal', 'a session or action id is no plain name');
  }
  return join(outputs, call.sessionId, `${call.actionId}.txt`);
}

/** Number of changes that a dry run lists. */
const SHOWN_CHANGES = 100;
const DROPPED = 'it was only tried';

/**
 * Plans a call of `bash` [A5]: runs it on the overlay, lists its changes and discards them.
 *
 * @param run runs the call and passes its changes to the given function
 */
async function planCommand(
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
function untried(call: ToolHostCall): ToolPlan {
  const text = `It was not tried in ${call.workingFolder}: its effects there are immediate.`;
  return { text: `${text}\n${commandLine(call)}`, isError: false, changes: [] };
}

function commandLine({ parsed }: ToolHostCall): string {
  return `$ ${parsed.command ?? ''}`;
}

/** A dry run discards its changes, so that is not a failure. */
function failed({ isError }: ToolResult, seen: CommandEffects | undefined): boolean {
  return seen === undefined ? isError : seen.status !== 0;
}

/** Names those of an earlier engine: no result of the session has said so. */
function withLost(
  { text: said, ...result }: ToolResult,
  { sessionId }: ToolHostCall,
  commands: BackgroundCommands | undefined,
): ToolResult {
  const lost = commands?.untold(sessionId) ?? [];
  const lines = lost.map(
    ({ id, ended, remarks }) => `[background command ${id}: ${[ended, ...remarks].join('; ')}]`,
  );
  return { ...result, text: [said, ...lines].join('\n') };
}

/** Starts a command that continues after its call. Its file receives the output from now on. */
async function startInBackground(
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
  let held = false;
  const begin = async (): Promise<StartedCommand> => {
    const started = await run.begin(signal);
    held = started.transaction !== undefined;
    return held ? await goOn(started) : started;
  };
  const { id } = await commands.start(call, command, begin, file);
  const said = `It runs in the background as ${id}. result_open with this id shows its output; process_stop ends it.`;
  return held ? { text: `${said} ${HELD_VIEW}`, isError: false, goesOn: id } : { text: said, isError: false };
}

/**
 * A background command on a view of its own has ended as a transaction before it starts, without a
 * change.
 *
 * @throws BulkheadError `sandbox_unavailable` if its box was not made
 */
async function goOn(begun: StartedCommand): Promise<StartedCommand> {
  // Lets others into the folder, and ends what was not detached.
  await using started = begun;
  const { child, transaction, recover } = started;
  const status = await transaction?.ended.catch(() => undefined);
  const isMade = status === 0 && transaction?.left === true;
  if (!isMade || started.detach === undefined) {
    signalProcess(child, 'SIGKILL');
    const lines = child.stderr === null ? '' : (await text(child.stderr)).trim();
    const why = lines || 'it ended before it was made';
    throw new BulkheadError('sandbox_unavailable', `the box could not be set up: ${why}`);
  }
  await transaction.effects;
  await transaction.settle(false);
  const rest = started.detach();
  return { child, recover, later: rest.later, [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose]() };
}

import {
  BulkheadError,
  faultPoint,
  type Need,
  type Redaction,
  type SettleCommand,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { lookForMissing } from './missing-programs.ts';
import { lookForOpened } from './opened-files.ts';
import { OutputCapture } from './output-capture.ts';
import type { OutputFile } from './output-file.ts';
import { runShellProcess, type ShellEnd } from './run-shell-process.ts';
import { type Settled, settleTransaction } from './settle-transaction.ts';
import { boxError, shellResult } from './shell-result.ts';
import type { CommandTransaction, StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** One command of one call. */
export interface CommandRun {
  /**
   * Starts it in its box; without a box it throws, or ends with status 125 and the launcher's line.
   */
  begin(signal: AbortSignal): Promise<StartedCommand>;
  readonly call: ToolHostCall;
  readonly timeoutSeconds: number;
  /** The file for output that is too long to show. */
  readonly file: OutputFile;
  /**
   * Takes over the processes that it left; false if there is no room for them. Absent, they end.
   */
  adopt?(left: StartedCommand): boolean;
  /** Redacts the shown part of a cut result. */
  readonly redaction?: Redaction | undefined;
}

/**
 * Runs a command to its end and settles its changes.
 *
 * @throws BulkheadError `worker_failed` if it is unknown whether its changes were kept
 */
export async function runCommand(
  run: CommandRun,
  update: ToolUpdate,
  signal: AbortSignal,
  settle: SettleCommand | undefined,
): Promise<ToolResult> {
  const begun = await begin(run, signal);
  if (!isStarted(begun)) return begun;
  await using started = begun;
  const { child, transaction } = started;
  const capture = new OutputCapture(run.file, run.redaction);
  using paced = new PacedUpdate(update);
  const take = async (source: number, bytes: Buffer) => paced.add(await capture.add(source, bytes));
  try {
    const end = await runShellProcess(child, take, run.timeoutSeconds * 1000, signal, transaction);
    faultPoint('command.ended');
    const output = await capture.finish();
    const boxMade = await started.boxMade;
    if (boxMade === false) return boxError(output.trim() || 'it ended before it was made');
    const programs = await lookForMissing(started, end, output);
    const { workingFolder, parsed } = run.call;
    const { command = '', hosts = [] } = parsed;
    await transaction?.ended.catch(() => {});
    const files = await lookForOpened(started, end, command);
    const needs = [...programs.needs, ...files.needs];
    const settled = transaction && (await settleEnded(end, started, transaction, settle, signal, needs));
    const left = leave(run, started, settled);
    const remarks = [...((await started.remarks?.()) ?? []), ...left.said];
    const network = started.network?.();
    const leaves = started.detach !== undefined;
    const about = {
      command,
      workingFolder,
      reachesHosts: hosts.length > 0,
      network,
      leaves,
      programs,
      files,
    };
    const result = shellResult(end, output, run.timeoutSeconds, { ...about, settled, remarks, boxMade });
    return left.goesOn === undefined ? result : { ...result, goesOn: left.goesOn };
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'sandbox_unavailable') return boxError(error.message);
    throw error;
  } finally {
    await run.file.close();
  }
}

/** Clauses about processes that a command left, and their id as a background command. */
interface Left {
  readonly said: readonly string[];
  readonly goesOn?: string;
}

/** Hands the processes that a kept command left to their keeper. */
function leave(run: CommandRun, started: StartedCommand, settled: Settled | undefined): Left {
  if (started.transaction?.left !== true) return { said: [] };
  if (settled?.kept !== true || started.detach === undefined || run.adopt === undefined)
    return { said: ['what still ran was ended with it'] };
  const rest = started.detach();
  const { child, recover } = started;
  const { later } = rest;
  if (run.adopt({ child, recover, later, [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose]() })) {
    const id = leftId(run.call.actionId);
    return { said: [goesOn(id)], goesOn: id };
  }
  signalProcess(child, 'SIGKILL');
  void rest[Symbol.asyncDispose]();
  const full = 'as many background commands run as may run; stop one first';
  return { said: [`what still ran was ended with it: ${full}`] };
}

/** The id of what a command left, as a background command. */
export function leftId(actionId: string): string {
  return `${actionId}-left`;
}

/** The limits of a process that works on a view of its own. */
export const HELD_VIEW =
  'It sees what changes in the folder. What it writes there itself appears when it has ended; for files that others need earlier start it with `background` and `live`. It may see new files, also credentials: stop it before any are added';

function goesOn(id: string): string {
  return `what still runs goes on as ${id}: process_stop ends it, result_open shows its output. ${HELD_VIEW}`;
}

async function begin(run: CommandRun, signal: AbortSignal): Promise<StartedCommand | ToolResult> {
  const cancelled = { text: '[stopped: cancelled]', isError: true };
  if (signal.aborted) return cancelled;
  try {
    return await run.begin(signal);
  } catch (error) {
    const known = BulkheadError.from(error);
    if (known.code === 'cancelled' || signal.aborted) return cancelled;
    return boxError(known.fix === undefined ? known.message : `${known.message}. ${known.fix}`);
  }
}

function isStarted(begun: StartedCommand | ToolResult): begun is StartedCommand {
  return 'child' in begun;
}

/** A command that was stopped may leave incomplete changes. */
async function settleEnded(
  { stopped }: ShellEnd,
  started: StartedCommand,
  transaction: CommandTransaction,
  settle: SettleCommand | undefined,
  signal: AbortSignal,
  needs: readonly Need[],
): Promise<Settled> {
  const isOver = await transaction.ended.then(
    () => true,
    () => false,
  );
  if (!isOver) return { kept: false, effects: undefined, reason: 'it did not come to its end' };
  if (stopped === undefined) return await settleTransaction(started, transaction, settle, signal, needs);
  const cut: SettleCommand = async () => ({ commit: false, reason: 'it did not come to its end' });
  return await settleTransaction(started, transaction, cut, new AbortController().signal);
}

const PACE_MS = 50;
/** Size limit of one update; a reader needs the end of a flood, not all of it. */
const MAX_PENDING = 8_192;

/**
 * Passes text on immediately after a quiet time, else joined every 50 ms. Sends nothing after it is
 * disposed.
 */
class PacedUpdate implements Disposable {
  readonly #update: ToolUpdate;
  #pending = '';
  #skipped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(update: ToolUpdate) {
    this.#update = update;
  }

  add(text: string): void {
    if (text === '') return;
    this.#pending += text;
    if (this.#pending.length > MAX_PENDING) {
      this.#pending = this.#pending.slice(-MAX_PENDING).toWellFormed();
      this.#skipped = true;
    }
    if (this.#timer !== undefined) return;
    this.#send();
    this.#timer = setTimeout(() => this.#tick(), PACE_MS);
  }

  /** Sends the waiting text and stops. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send();
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#pending === '') return;
    this.#send();
    this.#timer = setTimeout(() => this.#tick(), PACE_MS);
  }

  #send(): void {
    if (this.#pending === '') return;
    const text = this.#skipped ? `\n[some output is not shown live]\n${this.#pending}` : this.#pending;
    this.#pending = '';
    this.#skipped = false;
    this.#update(text);
  }
}

import {
  BulkheadError,
  describeError,
  faultPoint,
  type Need,
  type Redaction,
  type SettleCommand,
  type ToolHostCall,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import { joinFound, lookForMissing } from './look-for-missing.ts';
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
   *
   * @param overdue it is the command itself, after its time limit
   */
  adopt?(left: StartedCommand, overdue: boolean): boolean;
  /** True if there is room for it as a background command. Absent, it is stopped at its time limit. */
  hasRoom?(): boolean;
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
    const limitMs = run.timeoutSeconds * 1000;
    const goOn = () => {
      if (whyNoHandOver(run, started) !== undefined) return false;
      transaction?.leave?.();
      return true;
    };
    const how = await runShellProcess(child, take, limitMs, signal, transaction, goOn);
    faultPoint('command.ended');
    const output = await capture.finish();
    const boxMade = await started.boxMade;
    if (boxMade === false) return boxError(output.trim() || 'it ended before it was made');
    const { workingFolder, parsed } = run.call;
    const { command = '', hosts = [] } = parsed;
    const outside = await lookForMissing(started, how, command, output);
    await transaction?.ended.catch(() => {});
    const missing = joinFound(outside, await lookForOpened(started, how, command));
    const settled =
      transaction && (await settleEnded(how, started, transaction, settle, signal, missing.needs));
    const left = leave(run, started, settled, how, signal);
    const end = isCut(how, left) ? { ...how, stopped: cutBy(signal) } : how;
    const remarks = [
      ...notHandedOver(run, started, end),
      ...((await started.remarks?.()) ?? []),
      ...left.said,
    ];
    const network = started.network?.();
    const leaves = started.detach !== undefined;
    const about = { command, workingFolder, reachesHosts: hosts.length > 0, network, leaves, missing };
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

/** Of a command that was to go on after its call: there was no room for it, or the call was cancelled. */
function isCut({ goesOn }: ShellEnd, left: Left): boolean {
  return goesOn === true && left.goesOn === undefined;
}

function cutBy(signal: AbortSignal): 'cancelled' | 'timeout' {
  return signal.aborted ? 'cancelled' : 'timeout';
}

/** A clause about a command that was stopped at its time limit. */
function notHandedOver(run: CommandRun, started: StartedCommand, { stopped }: ShellEnd): readonly string[] {
  const why = stopped === 'timeout' ? whyNoHandOver(run, started) : undefined;
  return why === undefined ? [] : [`it could not go on in the background: ${why}`];
}

const LONGER = '; a longer `timeout_seconds` gives it more time';
const FULL = 'as many background commands run as may run; stop one first';

/** Why a command ends at its time limit; undefined if it goes on in the background. */
function whyNoHandOver(run: CommandRun, { transaction, detach }: StartedCommand): string | undefined {
  if (run.adopt === undefined || run.hasRoom === undefined) return 'no command does here';
  if ((run.call.parsed.hosts ?? []).length > 0) return `its \`hosts\` are for its call only${LONGER}`;
  // A way out ends with its call, also one by a lasting grant.
  if ((run.call.granted ?? []).length > 0) return `it may reach hosts in its call only${LONGER}`;
  if (transaction === undefined) return 'it writes the folder directly';
  if (transaction.leave === undefined || detach === undefined)
    return 'it works on a copy of the folder, or may change a folder around it';
  return run.hasRoom() ? undefined : FULL;
}

/** Hands the processes that a kept command left, or the command itself, to their keeper. */
function leave(
  run: CommandRun,
  started: StartedCommand,
  settled: Settled | undefined,
  { goesOn = false, stopped }: ShellEnd,
  signal: AbortSignal,
): Left {
  if (started.transaction?.left !== true) return { said: [] };
  const mayGoOn = stopped === undefined && settled?.kept === true && !(goesOn && signal.aborted);
  if (!mayGoOn || started.detach === undefined || run.adopt === undefined)
    return { said: ['what still ran was ended with it'] };
  const rest = started.detach();
  const { child, recover } = started;
  const { later } = rest;
  const rests = { child, recover, later, [Symbol.asyncDispose]: () => rest[Symbol.asyncDispose]() };
  if (run.adopt(rests, goesOn)) {
    const id = leftId(run.call.actionId);
    const said = goesOn
      ? `the time limit of ${run.timeoutSeconds} s is over: the command still runs and ${goesOnAs(id)}. ${OVERDUE_VIEW}`
      : `what still runs ${goesOnAs(id)}. ${HELD_VIEW}`;
    return { said: [said], goesOn: id };
  }
  signalProcess(child, 'SIGKILL');
  void rest[Symbol.asyncDispose]();
  return { said: [`what still ran was ended with it: ${FULL}`] };
}

/** The id of what a command left, as a background command. */
export function leftId(actionId: string): string {
  return `${actionId}-left`;
}

const SEES = 'It sees what changes in the folder';
const STOP_FIRST = 'It may see new files, also credentials: stop it before any are added';

/** The limits of a process that works on a view of its own. */
export const HELD_VIEW = `${SEES}. What it writes there itself appears once it has written nothing for 2 s and has no file open for writing, else when it has ended; for files that others need earlier start it with \`background\` and \`live\`. ${STOP_FIRST}`;

/** The same of a command after its time limit: its changes are complete at its end only. */
const OVERDUE_VIEW = `${SEES}. All that it has written appears when it has ended on its own, or as far as it got when process_stop ends it; start servers and watchers with \`background\`. ${STOP_FIRST}`;

function goesOnAs(id: string): string {
  return `goes on as ${id}: process_stop ends it, result_open shows its output`;
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

/** A command that goes on has no changes yet. Without an answer its launcher is lost, and it has ended. */
async function settleNothing(transaction: CommandTransaction): Promise<Settled> {
  try {
    await transaction.effects;
    await transaction.settle(false);
    return { kept: true, effects: undefined };
  } catch (error) {
    const reason = `it ended at its time limit: ${describeError(error)}`;
    return { kept: false, effects: undefined, reason };
  }
}

/** A command that was stopped may leave incomplete changes. */
async function settleEnded(
  { stopped, goesOn = false }: ShellEnd,
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
  if (goesOn) return await settleNothing(transaction);
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

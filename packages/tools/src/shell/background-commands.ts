import { setTimeout as delay } from 'node:timers/promises';
import { BulkheadError, type SettleCommand, type ToolHostCall } from '@bulkhead/protocol';
import { type CommandRecords, LostCommands, NO_RECORDS } from './command-records.ts';
import { drain, endOf, noteCut } from './end-of-command.ts';
import {
  type BackgroundCommand,
  type DecideEnded,
  goneOnOf,
  isOf,
  remarksOn,
  settleAtEnd,
} from './ended-command.ts';
import { mergeStreams } from './merge-streams.ts';
import type { OutputFile } from './output-file.ts';
import { unseenLine } from './problem-line.ts';
import { followQuiet } from './quiet-moments.ts';
import { type Begun, leaveWaiting, noRoom, type Running, type StoppedCommand } from './running-command.ts';
import { settleLater } from './settle-later.ts';
import type { Settled } from './settle-transaction.ts';
import type { StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** No one waits longer until others see the changes. */
const SHOW_MS = 2_000;
/** Time for keeping what they wrote when the engine stops; it is killed after a few seconds. */
const CLOSE_MS = 3_000;
/** Limit per session: each command is a box with its own limits, and no one watches them. */
const MAX_OF_SESSION = 8;

/** The commands that outlive their call. They end with this object or the engine. */
export class BackgroundCommands {
  readonly #commands = new Map<string, Running>();
  /** Sessions by the actions that are about to start one. */
  readonly #starting = new Map<string, string>();
  readonly #onEnd: ((command: BackgroundCommand) => void)[] = [];
  readonly #records: CommandRecords;
  readonly #lost: LostCommands;
  #decide: DecideEnded | undefined;
  #closed = false;

  constructor(records: CommandRecords = NO_RECORDS) {
    this.#records = records;
    this.#lost = new LostCommands(records);
  }

  /** @param listener is called for each command that has ended, in the order of calls to this */
  onEnd(listener: (command: BackgroundCommand) => void): void {
    this.#onEnd.push(listener);
  }

  /** @param decide about the changes of a command that no one stopped; without it, they wait */
  decideBy(decide: DecideEnded): void {
    this.#decide = decide;
  }

  /**
   * Starts one and follows it. Reserves a place before the first await, so concurrent calls can't
   * exceed the limit.
   *
   * @param begin starts the command; called only with a place
   * @param file receives its output
   * @throws BulkheadError `not_available` if the session has reached its limit, or this object is
   * closing
   */
  async start(
    call: ToolHostCall,
    command: string,
    begin: () => Promise<StartedCommand>,
    file: OutputFile,
  ): Promise<BackgroundCommand> {
    const { actionId: id, sessionId } = call;
    if (!this.hasRoom(sessionId)) throw noRoom();
    this.#starting.set(id, sessionId);
    try {
      const started = await begin();
      if (this.#closed) {
        signalProcess(started.child, 'SIGKILL');
        await started[Symbol.asyncDispose]();
        throw noRoom();
      }
      return this.#add(call, id, { command, started, file });
    } finally {
      this.#starting.delete(id);
    }
  }

  /**
   * Follows what a command left, until its end. False without room for it.
   *
   * @param id as a background command
   * @param left its output continues
   */
  adopt(call: ToolHostCall, id: string, left: Begun): boolean {
    if (!this.hasRoom(call.sessionId)) return false;
    this.#add(call, id, left);
    return true;
  }

  #add(call: ToolHostCall, id: string, begun: Begun): BackgroundCommand {
    const { command, started, file, overdue = false } = begun;
    const { actionId: action, sessionId, workingFolder } = call;
    const pid = started.child.pid ?? 0;
    const about = { id, action, sessionId, workingFolder, command, outputPath: file.path, pid };
    const info = { ...about, ended: undefined, remarks: [] };
    this.#commands.set(id, {
      info,
      started,
      followed: this.#follow(id, begun),
      ...{ stopping: false, unsettled: false, over: false, overdue, cut: false },
    });
    this.#records.begun(info, started.later !== undefined);
    return info;
  }

  /**
   * True if the session may have one more. A command whose changes wait for a decision takes a place
   * as well: its launcher does.
   */
  hasRoom(sessionId: string): boolean {
    const running = [...this.#commands.values()].filter(
      ({ info, started, over }) =>
        info.sessionId === sessionId && (info.ended === undefined || (started.later && !over)),
    );
    const starting = [...this.#starting.values()].filter((session) => session === sessionId);
    return !this.#closed && running.length + starting.length < MAX_OF_SESSION;
  }

  /** The commands of one session, or all; first those that ended with an earlier engine. */
  list(sessionId?: string): readonly BackgroundCommand[] {
    const all = [...this.#lost.list(), ...[...this.#commands.values()].map(({ info }) => info)];
    return all.filter((info) => isOf(info, sessionId));
  }

  /** Of a session, those that ended with an earlier engine, once. */
  untold(sessionId: string): readonly BackgroundCommand[] {
    return this.#lost.untold(sessionId);
  }

  /** Number of commands whose changes ended with an earlier engine, and that no one has stopped since. */
  get lost(): number {
    return this.#lost.list().length;
  }

  /**
   * Ends a command, waits for all of its processes, and settles what they wrote.
   *
   * @param sessionId if given, only a command of this session is ended
   * @param settle decides about the changes; without it they are discarded
   * @returns undefined for an unknown id
   * @throws BulkheadError `worker_failed` if it is unknown whether the changes were kept;
   * `cancelled` without a decision: its changes wait for the next one, or for its end if it goes on
   */
  async stop(
    id: string,
    sessionId?: string,
    settle?: SettleCommand,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<StoppedCommand | undefined> {
    const running = this.#commands.get(id);
    if (running === undefined) return this.#forget(id, sessionId);
    if (!isOf(running.info, sessionId)) return undefined;
    const { started, info } = running;
    running.stopping = true;
    noteCut(running);
    let settled: Settled | undefined;
    try {
      await endOf(running, settle === undefined, signal);
      if (started.later !== undefined && settle !== undefined && !running.over)
        settled = await settleLater(started, goneOnOf(info), settle, signal);
    } catch (error) {
      const code = BulkheadError.is(error) ? error.code : undefined;
      if (code === 'cancelled') leaveWaiting(running);
      else await this.#over(running, code === 'worker_failed');
      throw error;
    }
    // The engine stops, and no one has decided: the next one says so.
    const isLost = this.#closed && started.later !== undefined && settle === undefined;
    await this.#over(running, isLost);
    this.#commands.delete(id);
    return { command: settled === undefined ? running.info : { ...running.info, remarks: [] }, settled };
  }

  /**
   * Ends a command for a person, who is in no run: what it wrote is kept as at an end of its own, or
   * waits.
   *
   * @returns undefined for an unknown id
   */
  async end(id: string, sessionId?: string): Promise<BackgroundCommand | undefined> {
    const running = this.#commands.get(id);
    if (running === undefined) return this.#forget(id, sessionId)?.command;
    if (!isOf(running.info, sessionId)) return undefined;
    if (running.started.later === undefined) return (await this.stop(id))?.command;
    noteCut(running);
    running.started.later.stop();
    if (running.unsettled && !running.stopping) running.followed = this.#atEnd(running);
    await running.followed;
    if (running.over) this.#commands.delete(id);
    return running.info;
  }

  /** Ends all of them, and starts no more. Keeps their changes if no question is needed. */
  async close(): Promise<void> {
    this.#closed = true;
    const ended = Promise.all([...this.#commands.keys()].map((id) => this.end(id)));
    await Promise.race([ended.catch(() => {}), delay(CLOSE_MS, undefined, { ref: false })]);
    await Promise.all([...this.#commands.keys()].map((id) => this.stop(id)));
  }

  /** As `list`, with a fresh look at the effects of running commands. */
  async look(sessionId?: string): Promise<readonly BackgroundCommand[]> {
    for (const { id } of this.list(sessionId)) {
      const running = this.#commands.get(id);
      if (running === undefined || running.info.ended !== undefined) continue;
      const remarks = await remarksOn(running.started);
      if (running.info.ended === undefined) running.info = { ...running.info, remarks };
    }
    return this.list(sessionId);
  }

  /** Resolves once all that run see what has changed in their folders by now, or after a while. */
  async show(): Promise<void> {
    const shown = [...this.#commands.values()]
      .filter(({ info }) => info.ended === undefined)
      .map(({ started }) => started.later?.show());
    if (shown.length === 0) return;
    await Promise.race([Promise.all(shown), delay(SHOW_MS, undefined, { ref: false })]);
  }

  /** Ends the commands of one session. Discards their changes. */
  async stopAll(sessionId: string): Promise<void> {
    await Promise.all(this.list(sessionId).map(({ id }) => this.stop(id)));
  }

  async #follow(id: string, { started, file, overdue = false }: Begun): Promise<void> {
    const { child, later } = started;
    // One after the other: a problem is said in between.
    let written = Promise.resolve();
    const append = (bytes: Uint8Array): Promise<void> => {
      written = written.then(() => file.append(bytes));
      return written;
    };
    const say = (clause: string) => void append(Buffer.from(`[bulkhead: ${clause}]\n`));
    later?.onUnseen((problem) => say(unseenLine(problem)));
    const info = () => this.#commands.get(id)?.info;
    // While it is overdue, a quiet moment is a pause in its work.
    const moments = overdue ? undefined : followQuiet(later, { info, decide: () => this.#decide, say });
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    const enough = () => drain(child);
    later?.ended.then(enough, enough);
    for await (const { bytes } of mergeStreams(streams)) await append(bytes);
    await later?.ended.catch(() => {});
    await moments?.over();
    await written;
    const notMade = (await started.boxMade) === false;
    const remarks = await remarksOn(started);
    if (later === undefined) await started[Symbol.asyncDispose]();
    await file.close();
    const running = this.#commands.get(id);
    if (running === undefined) return;
    const how = child.signalCode ?? `exit code ${child.exitCode ?? 'unknown'}`;
    const ended = notMade ? `its box could not be made (${how}); it did not run` : how;
    running.info = { ...running.info, ended, remarks };
    running.unsettled = later !== undefined && running.stopping;
    if (later === undefined) this.#tell(running);
    else if (!running.stopping) await this.#atEnd(running);
  }

  #forget(id: string, sessionId: string | undefined): StoppedCommand | undefined {
    const command = this.#lost.get(id);
    if (command === undefined || !isOf(command, sessionId)) return undefined;
    this.#lost.forget(id);
    return { command, settled: undefined };
  }

  /** Ended without a stop: its changes are kept, or wait for someone who may decide. */
  async #atEnd(running: Running): Promise<void> {
    running.unsettled = false;
    const settled = await settleAtEnd(running, this.#decide);
    const { ended = running.info.ended, remarks, waits, isUnknown } = settled;
    running.info = { ...running.info, ended, remarks };
    if (!waits) await this.#over(running, isUnknown);
  }

  /** Nothing of it is left to be settled here. @param isOpen the next engine says what became of it */
  async #over(running: Running, isOpen = false): Promise<void> {
    if (running.over) return;
    await running.started[Symbol.asyncDispose]();
    this.#tell(running, isOpen);
  }

  #tell(running: Running, isOpen = false): void {
    if (running.over) return;
    running.over = true;
    if (!isOpen) this.#records.over(running.info.id);
    for (const listener of this.#onEnd) listener(running.info);
  }
}

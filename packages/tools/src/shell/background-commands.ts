import { BulkheadError, describeError, type ToolHostCall } from '@bulkhead/protocol';
import type { CommandStatus } from '../definitions/execution.ts';
import { mergeStreams } from './merge-streams.ts';
import { networkNotes } from './network-notes.ts';
import type { OutputFile } from './output-file.ts';
import type { StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** Delay between asking a command to end and killing it. */
const TERMINATE_MS = 2_000;
/** Limit per session: each command is a box with its own limits, and no one watches them. */
const MAX_OF_SESSION = 8;

/**
 * A command that runs, or has ended and has not been looked at since. Its id is that of the action
 * that started it.
 */
export interface BackgroundCommand extends CommandStatus {
  readonly sessionId: string;
  readonly pid: number;
}

interface Running {
  info: BackgroundCommand;
  readonly started: StartedCommand;
  readonly followed: Promise<void>;
}

/** The commands that outlive their call. They end with this object or the engine. */
export class BackgroundCommands {
  readonly #commands = new Map<string, Running>();
  /** Sessions by the actions that are about to start one. */
  readonly #starting = new Map<string, string>();
  readonly #onEnd: ((command: BackgroundCommand) => void)[] = [];
  #closed = false;

  /** @param listener is called for each command that has ended, in the order of calls to this */
  onEnd(listener: (command: BackgroundCommand) => void): void {
    this.#onEnd.push(listener);
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
    if (!this.#hasRoom(sessionId)) throw noRoom();
    this.#starting.set(id, sessionId);
    try {
      const started = await begin();
      if (this.#closed) {
        signalProcess(started.child, 'SIGKILL');
        await started[Symbol.asyncDispose]();
        throw noRoom();
      }
      const pid = started.child.pid ?? 0;
      const info = { id, sessionId, command, outputPath: file.path, pid, ended: undefined, remarks: [] };
      this.#commands.set(id, { info, started, followed: this.#follow(id, started, file) });
      return info;
    } finally {
      this.#starting.delete(id);
    }
  }

  /**
   * Follows what a command left, until its end. False without room for it.
   *
   * @param left its output continues
   */
  adopt(call: ToolHostCall, command: string, left: StartedCommand, file: OutputFile): boolean {
    const { actionId: id, sessionId } = call;
    if (!this.#hasRoom(sessionId)) return false;
    const pid = left.child.pid ?? 0;
    const info = { id, sessionId, command, outputPath: file.path, pid, ended: undefined, remarks: [] };
    this.#commands.set(id, { info, started: left, followed: this.#follow(id, left, file) });
    return true;
  }

  #hasRoom(sessionId: string): boolean {
    const running = this.list(sessionId).filter(({ ended }) => ended === undefined);
    const starting = [...this.#starting.values()].filter((session) => session === sessionId);
    return !this.#closed && running.length + starting.length < MAX_OF_SESSION;
  }

  /** The commands of one session, or all. */
  list(sessionId?: string): readonly BackgroundCommand[] {
    const all = [...this.#commands.values()].map(({ info }) => info);
    return all.filter((info) => isOf(info, sessionId));
  }

  /**
   * Ends a command and waits for all of its processes.
   *
   * @param sessionId if given, only a command of this session is ended
   * @returns its final state; undefined for an unknown id
   */
  async stop(id: string, sessionId?: string): Promise<BackgroundCommand | undefined> {
    const running = this.#commands.get(id);
    if (running === undefined || !isOf(running.info, sessionId)) return undefined;
    const { child } = running.started;
    signalProcess(child, 'SIGTERM');
    const timer = setTimeout(() => signalProcess(child, 'SIGKILL'), TERMINATE_MS);
    await running.followed;
    clearTimeout(timer);
    this.#commands.delete(id);
    return running.info;
  }

  /** Ends all of them, and starts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stopAll();
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

  /** Ends the commands of one session, or all. */
  async stopAll(sessionId?: string): Promise<void> {
    await Promise.all(this.list(sessionId).map(({ id }) => this.stop(id)));
  }

  async #follow(id: string, started: StartedCommand, file: OutputFile): Promise<void> {
    const { child } = started;
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    for await (const { bytes } of mergeStreams(streams)) await file.append(bytes);
    const notMade = (await started.boxMade) === false;
    const remarks = await remarksOn(started);
    await started[Symbol.asyncDispose]();
    await file.close();
    const running = this.#commands.get(id);
    if (running === undefined) return;
    const how = child.signalCode ?? `exit code ${child.exitCode ?? 'unknown'}`;
    const ended = notMade ? `its box could not be made (${how}); it did not run` : how;
    running.info = { ...running.info, ended, remarks };
    for (const listener of this.#onEnd) listener(running.info);
  }
}

function noRoom(): BulkheadError {
  return new BulkheadError('not_available', 'no more background commands can be started here', {
    fix: 'Stop one with process_stop first',
  });
}

function isOf(info: BackgroundCommand, sessionId: string | undefined): boolean {
  return sessionId === undefined || info.sessionId === sessionId;
}

/** A failed look must be reported like a finding. */
async function remarksOn(started: StartedCommand): Promise<readonly string[]> {
  try {
    const network = started.network?.();
    const traffic = network === undefined ? [] : networkNotes(network, false);
    return [...((await started.remarks?.()) ?? []), ...traffic];
  } catch (error) {
    return [`what it changed could not be looked at: ${describeError(error)}`];
  }
}

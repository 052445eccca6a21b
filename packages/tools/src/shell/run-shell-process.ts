import type { ChildProcess } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';
import { mergeStreams } from './merge-streams.ts';
import { signalGroup, signalProcess } from './stop-process.ts';

/** Delay between asking a command to end and killing it. */
const TERMINATE_MS = 2_000;
/** Time for late output after the command has ended: a process it left may hold its pipes. */
const DRAIN_MS = 500;
/** Time for handing over a command that goes on after its call, on a busy machine. */
const HAND_OVER_MS = 10_000;

export interface ShellEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: 'timeout' | 'cancelled' | undefined;
  /** True if it has not ended: it goes on after its call. */
  readonly goesOn?: boolean;
}

/** A command whose process outlives it, to settle its changes. */
interface FollowedCommand {
  /** Its exit status. */
  readonly ended: Promise<number>;
  readonly left?: boolean;
  readonly goesOn?: boolean;
  stop(): void;
}

/** @param source 0 standard output, 1 standard error */
export type TakeOutput = (source: number, bytes: Buffer) => Promise<void>;

/**
 * Follows a started command to its end: passes its output on, stops it at its time limit or the
 * signal, and ends its whole process group.
 *
 * @param command of a process that outlives it, which then stays alive
 * @param goOn asks for it to go on after its call at the time limit, false if it can't; absent, it is
 *   stopped
 * @throws BulkheadError `sandbox_unavailable` if the process could not be started
 */
export async function runShellProcess(
  child: ChildProcess,
  take: TakeOutput,
  timeoutMs: number,
  signal: AbortSignal,
  command?: FollowedCommand,
  goOn?: () => boolean,
): Promise<ShellEnd> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null)
    throw new BulkheadError('internal', 'a command needs pipes for its output');
  const ended = endOf(child, command?.ended);
  // Awaited below, after the output.
  ended.catch(() => undefined);
  let stopped: ShellEnd['stopped'];
  const timers: NodeJS.Timeout[] = [];
  let waiting: NodeJS.Timeout | undefined;
  const stop = (reason: 'timeout' | 'cancelled') => {
    if (stopped !== undefined) return;
    stopped = reason;
    if (command === undefined) signalProcess(child, 'SIGTERM');
    else command.stop();
    timers.push(setTimeout(() => signalProcess(child, 'SIGKILL'), TERMINATE_MS));
  };
  const cancel = () => stop('cancelled');
  const limit = setTimeout(() => {
    if (stopped === undefined && goOn?.() === true) waiting = setTimeout(() => stop('timeout'), HAND_OVER_MS);
    else stop('timeout');
  }, timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const drain = () => {
    for (const timer of [limit, waiting, ...timers.splice(0)]) clearTimeout(timer);
    timers.push(setTimeout(() => destroyAll(stdout, stderr), DRAIN_MS));
  };
  child.once('exit', () => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    drain();
  });
  const enough = new AbortController();
  // A process that goes on keeps its pipes.
  const leave = () => {
    for (const timer of [limit, waiting]) clearTimeout(timer);
    timers.push(setTimeout(() => enough.abort(), DRAIN_MS));
  };
  command?.ended.then(
    () => (command.left === true ? leave() : drain()),
    () => {},
  );
  let outlives = false;
  try {
    for await (const { source, bytes } of mergeStreams([stdout, stderr], enough.signal))
      await take(source, bytes);
    const { outlived, ...how } = await ended;
    outlives = outlived;
    return { ...how, stopped, goesOn: stopped === undefined && command?.goesOn === true };
  } finally {
    for (const timer of [limit, waiting, ...timers]) clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    if (!outlives) signalProcess(child, 'SIGKILL');
  }
}

type End = Omit<ShellEnd, 'stopped'> & { readonly outlived: boolean };

/** The end of the command or of its process, whichever comes first. */
function endOf(child: ChildProcess, commandEnded: Promise<number> | undefined): Promise<End> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      if (child.pid !== undefined) return;
      reject(new BulkheadError('sandbox_unavailable', cause.message, { cause }));
    });
    child.once('exit', (code, signal) => resolve({ code, signal, outlived: false }));
    commandEnded?.then(
      (code) => resolve({ code, signal: null, outlived: true }),
      // Its process ends too.
      () => {},
    );
  });
}

function destroyAll(...streams: readonly { destroy(): unknown }[]): void {
  for (const stream of streams) stream.destroy();
}

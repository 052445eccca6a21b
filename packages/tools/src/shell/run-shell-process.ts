import type { ChildProcess } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';
import { mergeStreams } from './merge-streams.ts';
import { signalGroup, signalProcess } from './stop-process.ts';

/** Between asking a command to end and ending it. */
const TERMINATE_MS = 2_000;
/** How long output may still come once the command has ended: something it left behind may hold its pipes. */
const DRAIN_MS = 500;

export interface ShellEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: 'timeout' | 'cancelled' | undefined;
}

/** @param source 0 standard output, 1 standard error */
export type TakeOutput = (source: number, bytes: Buffer) => Promise<void>;

/**
 * Follows a started command to its end: passes its output on, stops it when its time is over or the signal
 * says so, and leaves nothing of its process group running.
 * @throws BulkheadError `sandbox_unavailable` if the process could not be started
 */
export async function runShellProcess(
  child: ChildProcess,
  take: TakeOutput,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ShellEnd> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null)
    throw new BulkheadError('internal', 'a command needs pipes for its output');
  const ended = exitOf(child);
  // Awaited below, after the output.
  ended.catch(() => undefined);
  let stopped: ShellEnd['stopped'];
  const timers: NodeJS.Timeout[] = [];
  const stop = (reason: 'timeout' | 'cancelled') => {
    if (stopped !== undefined) return;
    stopped = reason;
    signalProcess(child, 'SIGTERM');
    timers.push(setTimeout(() => signalProcess(child, 'SIGKILL'), TERMINATE_MS));
  };
  const cancel = () => stop('cancelled');
  timers.push(setTimeout(() => stop('timeout'), timeoutMs));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  child.once('exit', () => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    timers.push(setTimeout(() => destroyAll(stdout, stderr), DRAIN_MS));
  });
  try {
    for await (const { source, bytes } of mergeStreams([stdout, stderr])) await take(source, bytes);
    return { ...(await ended), stopped };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    signalProcess(child, 'SIGKILL');
  }
}

function exitOf(child: ChildProcess): Promise<Omit<ShellEnd, 'stopped'>> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      if (child.pid !== undefined) return;
      reject(new BulkheadError('sandbox_unavailable', cause.message, { cause }));
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function destroyAll(...streams: readonly { destroy(): unknown }[]): void {
  for (const stream of streams) stream.destroy();
}

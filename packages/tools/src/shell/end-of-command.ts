import type { ChildProcess } from 'node:child_process';
import { BulkheadError } from '@bulkhead/protocol';
import type { Running } from './running-command.ts';
import type { StartedCommand } from './started-command.ts';
import { signalProcess } from './stop-process.ts';

/** Delay between asking a command to end and killing it. */
const TERMINATE_MS = 2_000;
/** Time for late output after the end: a process elsewhere may hold the pipes. No result waits for it. */
const DRAIN_MS = 2_000;

/**
 * Waits for the end of a command that was asked to end.
 *
 * @param atOnce nothing it changed is kept
 * @throws BulkheadError `cancelled` by the signal; the command still ends
 */
export async function endOf(
  {
    started: { child, later },
    followed,
  }: { readonly started: StartedCommand; readonly followed: Promise<void> },
  atOnce: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (later !== undefined && !atOnce) {
    later.stop();
  } else {
    signalProcess(child, 'SIGTERM');
    const timer = setTimeout(() => signalProcess(child, 'SIGKILL'), TERMINATE_MS);
    const ended = () => clearTimeout(timer);
    followed.then(ended, ended);
    if (child.exitCode !== null || child.signalCode !== null) drain(child);
    else child.once('exit', () => drain(child));
  }
  await orCancelled(followed, signal);
}

/** Call before it is asked to end. */
export function noteCut(running: Running): void {
  if (running.info.ended === undefined) running.cut = true;
}

/** Ends the reading of its output soon: all its processes have ended. */
export function drain({ stdout, stderr }: ChildProcess): void {
  const close = () => {
    for (const stream of [stdout, stderr]) stream?.destroy();
  };
  setTimeout(close, DRAIN_MS).unref();
}

async function orCancelled(followed: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(new BulkheadError('cancelled', 'it was cancelled while the command ended'));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await Promise.race([followed, promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

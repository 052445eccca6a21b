import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedEngine } from '@bulkhead/engine/client';
import type { Clock } from '@bulkhead/protocol';
import type { StatusResponse } from '@bulkhead/protocol/client';
import type { EngineLink } from './engine-link.ts';

const POLL_MS = 20;
/** A stopping engine drains for up to 5 s; it gets a little more. */
export const STOP_MS = 6_000;

export interface NamedProcess {
  readonly kind: string;
  readonly pid: number;
}

/** Every process of a running engine, its supervisor first. */
export function processesOf(status: StatusResponse): readonly NamedProcess[] {
  const all = [
    { kind: 'supervisor', pid: status.supervisorPid },
    { kind: 'engine', pid: status.enginePid },
    ...status.processes.map(({ kind, pid }) => ({ kind, pid })),
  ];
  return all.filter(({ pid }, index) => pid > 0 && all.findIndex((other) => other.pid === pid) === index);
}

/**
 * Waits until processes have ended.
 * @returns those that are left when the time is over
 */
export async function untilEnded(
  processes: readonly NamedProcess[],
  withinMs: number,
  clock: Clock,
): Promise<readonly NamedProcess[]> {
  const end = clock.monotonic() + withinMs;
  let left = processes.filter(({ pid }) => isAlive(pid));
  while (left.length > 0 && clock.monotonic() < end) {
    await sleep(POLL_MS);
    left = left.filter(({ pid }) => isAlive(pid));
  }
  return left;
}

/** A process that has ended but was not yet collected by its parent counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return !existsSync('/proc/self/stat');
  try {
    return !/\) [ZX] /.test(readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}

/** Stops an engine that this process started, and waits for it. */
export async function stopStarted(link: EngineLink, started: StartedEngine): Promise<void> {
  started.keep();
  try {
    await link.once((client) => client.stop({ restart: false }, AbortSignal.timeout(1_000)));
  } catch {
    if (isAlive(started.supervisorPid)) process.kill(started.supervisorPid, 'SIGTERM');
  }
  await Promise.race([started.ended, sleep(STOP_MS)]);
}

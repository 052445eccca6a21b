import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@bulkhead/client';
import type { Clock } from '@bulkhead/protocol';
import type { StatusResponse } from '@bulkhead/protocol/client';

const POLL_MS = 20;

export interface NamedProcess {
  readonly kind: string;
  readonly pid: number;
}

/** Every process of a running engine, supervisor first. */
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
 * @returns those that still run after the time limit
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

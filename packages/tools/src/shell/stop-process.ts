import type { ChildProcess } from 'node:child_process';

/**
 * Signals a process that has not been waited for yet, and its group if it leads one. Call only before its
 * `exit`: afterwards the number may be another process's.
 */
export function signalProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child.pid, signal);
  child.kill(signal);
}

/** A process that leads no group has no group of its number: the system says so, and nothing is hit. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group, or nobody in it that may be signalled.
  }
}

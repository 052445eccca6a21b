import type { ChildProcess } from 'node:child_process';

/**
 * Signals a process that has not been waited for yet, and its group if it leads one. Call only
 * before its `exit`: afterwards another process may have the number.
 */
export function signalProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child.pid, signal);
  child.kill(signal);
}

/**
 * A process that leads no group shares no group number: the system reports that, and no process is
 * signalled.
 */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group, or no process in it may be signalled.
  }
}

import { BulkheadError } from '@bulkhead/protocol';
import type { BackgroundCommand } from './ended-command.ts';
import type { OutputFile } from './output-file.ts';
import type { Settled } from './settle-transaction.ts';
import type { StartedCommand } from './started-command.ts';

/** A started command, and the file for its output. */
export interface Begun {
  readonly command: string;
  readonly started: StartedCommand;
  readonly file: OutputFile;
  /** It goes on after its time limit: until it ends on its own, its changes may be incomplete. */
  readonly overdue?: boolean;
}

export interface Running {
  info: BackgroundCommand;
  readonly started: StartedCommand;
  /** Resolves once it has ended, and what could be settled then is. */
  followed: Promise<void>;
  /** Somebody has asked for its end, and settles what it wrote. */
  stopping: boolean;
  /** It has ended while somebody stopped it: no one has looked at its changes otherwise. */
  unsettled: boolean;
  /** Nothing of it is left to be settled. */
  over: boolean;
  readonly overdue: boolean;
  /** It was asked to end before it had ended. */
  cut: boolean;
}

/** No one has decided: its changes wait for the next stop, or for its end if it goes on. */
export function leaveWaiting(running: Running): void {
  running.stopping = false;
  if (!running.unsettled) return;
  const remarks = ['what it changed is not in the folder yet: process_stop asks about it'];
  running.info = { ...running.info, remarks };
}

/** A background command that was stopped, and the outcome of its changes. */
export interface StoppedCommand {
  readonly command: BackgroundCommand;
  /** Undefined if it wrote the folder directly. */
  readonly settled: Settled | undefined;
}

/** The error for a command in the background that has no place. */
export function noRoom(): BulkheadError {
  return new BulkheadError('not_available', 'no more background commands can be started here', {
    fix: 'Stop one with process_stop first',
  });
}

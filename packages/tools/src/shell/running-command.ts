import type { BackgroundCommand } from './ended-command.ts';
import type { OutputFile } from './output-file.ts';
import type { Settled } from './settle-transaction.ts';
import type { StartedCommand } from './started-command.ts';

/** A started command, and the file for its output. */
export interface Begun {
  readonly command: string;
  readonly started: StartedCommand;
  readonly file: OutputFile;
}

export interface Running {
  info: BackgroundCommand;
  readonly started: StartedCommand;
  readonly followed: Promise<void>;
  /** Somebody has asked for its end, and settles what it wrote. */
  stopping: boolean;
  /** Nothing of it is left to be settled. */
  over: boolean;
}

/** A background command that was stopped, and the outcome of its changes. */
export interface StoppedCommand {
  readonly command: BackgroundCommand;
  /** Undefined if it wrote the folder directly. */
  readonly settled: Settled | undefined;
}

import type { ChildProcess } from 'node:child_process';
import type { CommandEffects, SettledAs } from '@bulkhead/protocol';

/** A shell command as it is to be started, in whatever box. */
export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** True if it goes on after its call, and writes the working folder itself. */
  readonly background: boolean;
  /** The only hosts it may reach, through a proxy that appears in its box; none without. */
  readonly hosts: readonly string[];
}

/** A command whose changes wait for a decision. */
export interface CommandTransaction {
  /** Resolves with the exit status once the command and all it started are dead. */
  readonly ended: Promise<number>;
  /** Resolves once the changes are known. */
  readonly effects: Promise<CommandEffects>;
  /** Ends the command; its changes are told all the same, and can only be dropped. */
  stop(): void;
  /** Keeps the changes or drops them. Rejects if nobody answers: then `recover` tells. */
  settle(commit: boolean): Promise<SettledAs>;
}

/** A command that runs. Disposing of it waits until nothing of it is left, and undoes what it left half done. */
export interface StartedCommand extends AsyncDisposable {
  /** Its output comes by pipes. */
  readonly child: ChildProcess;
  /** Absent if it writes the working folder itself. */
  readonly transaction?: CommandTransaction;
  /** Resolves with false if it ended before its box was made: then nothing ran. Absent if that is told otherwise. */
  readonly boxMade?: Promise<boolean>;
  /** For model and person, a clause each: what its box could not keep from it, as far as it is known now. */
  remarks?(): Promise<readonly string[]>;
  /**
   * Finds out how a transaction ended that gave no answer; its process has to end first and is made to.
   *
   * @throws BulkheadError if nobody can tell
   */
  recover(): Promise<'committed' | 'dropped'>;
}

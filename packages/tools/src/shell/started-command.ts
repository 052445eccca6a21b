import type { ChildProcess } from 'node:child_process';
import type {
  CommandEffects,
  CommandProblem,
  Need,
  NetworkUse,
  SettledAs,
  ShownFolder,
} from '@bulkhead/protocol';
import type { NamedPlace } from './named-places.ts';

/** A shell command to be started, in any box. */
export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Its complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** True if it continues after its call. */
  readonly background: boolean;
  /** True if it is to see and write the working folder directly meanwhile. */
  readonly live: boolean;
  /** True for a dry run: nothing outside the working folder may keep what it writes. */
  readonly trial: boolean;
  /** The only hosts it may reach, through a proxy in its box; absent, none. */
  readonly hosts: readonly string[];
  /** `host:port` of each server that it may reach besides. */
  readonly granted: readonly string[];
  /** Folders of programs that it may read. */
  readonly toolchains: readonly ShownFolder[];
  /** Folders beside or around the working folder that it may read, or change as well. */
  readonly folders: readonly ShownFolder[];
  /** Files with credentials that it may read, by paths below its folder. */
  readonly secretFiles: readonly string[];
}

/** Names of things that a command seems not to have found. */
export interface MissingThings {
  readonly programs: readonly string[];
  readonly places: readonly NamedPlace[];
}

/** Things that a command lacked, and that exist outside its box. */
export interface FoundOutside {
  /** The permissions that would give it to the command. */
  readonly needs: readonly Need[];
  /** Why other things can't be shown to it, a clause each. */
  readonly refused: readonly string[];
}

/** A command whose changes wait for a decision. */
export interface CommandTransaction {
  /**
   * Resolves with the exit status once the command and all its processes are dead, or those that it
   * left can't change its result any more.
   */
  readonly ended: Promise<number>;
  /** True if processes go on after `ended`. */
  readonly left?: boolean;
  /** Hidden files that it opened, by paths below its folder, once it has `ended`. */
  readonly opened?: readonly string[];
  /** True if the command itself goes on after `ended`; none of its changes is listed yet. */
  readonly goesOn?: boolean;
  /** Resolves once the changes are known. */
  readonly effects: Promise<CommandEffects>;
  /** Ends the command; its changes are still reported, and can only be discarded. */
  stop(): void;
  /**
   * Has the command go on after its call, if it still runs: `ended` resolves soon, and `goesOn` tells
   * which. Absent, it can't.
   */
  leave?(): void;
  /**
   * Commits or discards the changes. Rejects without an answer: then `recover` finds the outcome.
   */
  settle(commit: boolean): Promise<SettledAs>;
}

/**
 * The later changes of processes that outlive their command: a transaction of its own, once all of
 * them have ended.
 */
export interface LaterChanges {
  /** Resolves once all have ended. */
  readonly ended: Promise<void>;
  /** Asks them to end, and ends them a moment later. */
  stop(): void;
  /** Resolves once they see all that has changed in the folder by now, or have ended. */
  show(): Promise<void>;
  /** @param listener receives each problem that keeps a change of the folder from them */
  onUnseen(listener: (problem: CommandProblem) => void): void;
  /** Waits until no other command works in the folder. @returns dispose to let others in */
  turn(signal: AbortSignal): Promise<Disposable>;
  /**
   * Lists the changes as they are now, without those of a path that somebody else changed: those are
   * notes. May be repeated.
   */
  list(): Promise<CommandEffects>;
  /** Commits or discards what was listed last. */
  settle(commit: boolean): Promise<SettledAs>;
  /** As that of a command. */
  recover(): Promise<'committed' | 'dropped'>;
  /** Absent, nothing is settled before the end. */
  readonly quiet?: QuietChanges;
}

/** The changes of processes that outlive their command, at a quiet moment, while they go on. */
export interface QuietChanges {
  /**
   * @param listener is called when they have written nothing for a while, and have no file open for
   *   writing; once for each state
   */
  onReached(listener: () => void): void;
  /**
   * As `list` at the end, by a caller that holds the folder. `settle` must follow.
   *
   * @returns undefined if it is not quiet any more
   */
  list(): Promise<CommandEffects | undefined>;
  settle(commit: boolean): Promise<SettledAs>;
  /** Finds the outcome after no clear answer. */
  recover(): Promise<'committed' | 'dropped'>;
}

/** Processes that outlive their command. Disposing waits for their end. */
export interface LeftProcesses extends AsyncDisposable {
  readonly later: LaterChanges;
}

/**
 * A running command. Disposing of it waits until all its processes have ended, and undoes
 * incomplete changes.
 */
export interface StartedCommand extends AsyncDisposable {
  /** Its output comes through pipes. */
  readonly child: ChildProcess;
  /** Absent if it writes the working folder directly. */
  readonly transaction?: CommandTransaction;
  /**
   * Resolves with false if it ended before its box was made: then no command ran. Absent if another
   * signal reports that.
   */
  readonly boxMade?: Promise<boolean>;
  /** Its traffic so far; absent if it has no way out that could tell. */
  network?(): NetworkUse;
  /** Looks outside its box for what it did not find; absent if nothing could be shown to it. */
  lookFor?(missing: MissingThings): Promise<FoundOutside>;
  /** Which hidden files could be shown to it, of those that it opened; absent if none could. */
  offerFiles?(opened: readonly string[]): Promise<FoundOutside>;
  /**
   * For model and user, a clause each: limits that its box could not enforce, as far as known now.
   */
  remarks?(): Promise<readonly string[]>;
  /**
   * After a settled transaction: separates the processes that go on. Disposing of the command then
   * leaves them. Disposing of the returned object waits for their end, as its own would have.
   * Absent, none may go on.
   */
  detach?(): LeftProcesses;
  /** Of one that goes on; absent if it writes the working folder directly. */
  readonly later?: LaterChanges;
  /**
   * Finds the outcome of a transaction that gave no answer; ends its process first.
   *
   * @throws BulkheadError if the outcome can't be found
   */
  recover(): Promise<'committed' | 'dropped'>;
}

import type { ToolHost } from '@bulkhead/protocol';
import type { BackgroundCommands } from '@bulkhead/tools';
import type { CommandQuestion } from './boxes/command-box.ts';
import type { ToolchainOffer } from './boxes/toolchain-offers.ts';
import type { BoxFolders } from './kept/box-folders.ts';
import type { FolderQueue } from './transactions/folder-queue.ts';
import type { ScratchLedger } from './transactions/scratch-ledger.ts';

/** Shell commands: their boxes, changes and background processes. */
export interface Commands {
  readonly shell: ToolHost;
  readonly background: BackgroundCommands;
  /** Hosts the tools that list and stop background commands. */
  readonly processes: ToolHost;
  /** Private homes of workspaces, and temporary files of sessions. */
  readonly boxFolders: BoxFolders;
  /** Changes of commands, and their outcomes. */
  readonly scratch: ScratchLedger;
  /** Exclusive access to folders. */
  readonly queue: FolderQueue;
  /**
   * Why every command of a folder needs approval, or every background command; undefined where their
   * changes are held back.
   */
  everyCommandAsks(workingFolder: string, background: boolean): CommandQuestion | undefined;
  /** The folder around a working folder that its commands can read; undefined without one. */
  readableAround(workingFolder: string): string | undefined;
  /** Folders of programs in the person's home that commands could be shown. */
  toolchains(): Promise<readonly ToolchainOffer[]>;
  /** Await before asking that: tests which view commands of the folder work on. */
  chooseView(sessionId: string, workingFolder: string): Promise<unknown>;
}

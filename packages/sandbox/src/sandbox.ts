import type { ChildProcess } from 'node:child_process';
import type { Box, SessionSpaces } from './box.ts';
import type { BoxedProgram } from './boxed-program.ts';
import type { ProbeReport } from './probe-report.ts';
import type { FolderSize } from './tend-folders.ts';
import type { RecoveredAs } from './transaction/recover-transaction.ts';

/** Starts programs in boxes and tests that the boxes hold. */
export interface Sandbox {
  /**
   * Starts `program` in `box`. The box dies with this process and with the returned child:
   * `SIGKILL` to the child ends everything in it. A box that cannot be made ends the child with
   * status 125 and one line on its stderr, before the program has run.
   * @throws BulkheadError `usage` for an invalid box or program
   */
  launch(box: Box, program: BoxedProgram): ChildProcess;

  /**
   * Makes the name spaces that the shell boxes of a session share, until disposed. No process lives
   * in them for that.
   * @throws BulkheadError `sandbox_unavailable`
   */
  keepSession(): Promise<SessionSpaces & Disposable>;

  /**
   * Makes every kind of box and attacks it from inside. Takes some tens of milliseconds; leaves
   * nothing behind.
   */
  probe(): Promise<ProbeReport>;

  /**
   * Recovers the working folder of a command whose launcher died: its changes are all there or all
   * undone. Empties its scratch folder except for the outcome. Repeatable; nothing else may run in
   * the folder.
   * @throws BulkheadError `tool_failed` if neither state can be reached
   */
  recover(folders: { readonly work: string; readonly scratch: string }): Promise<RecoveredAs>;

  /**
   * Measures folders that commands wrote, outside this process, without following links.
   *
   * @param folders absolute, existing
   * @throws BulkheadError `tool_failed` if one can't be read
   */
  measure(folders: readonly string[]): Promise<FolderSize>;

  /**
   * Removes folders that commands wrote, with all below them, outside this process, without
   * following links. Skips missing ones.
   *
   * @param folders absolute
   * @throws BulkheadError `tool_failed` if something could not be removed
   */
  remove(folders: readonly string[]): Promise<void>;
}

/** Exit status of a launch whose box could not be made: the program did not run. */
export const BOX_FAILED_STATUS = 125;

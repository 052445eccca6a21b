import type { StdioOptions } from 'node:child_process';

/** A program to start in a box. */
export interface BoxedProgram {
  /** Absolute path of an ELF program, or in a shell box of anything `execve` accepts. */
  readonly file: string;
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  /**
   * Absolute; in a shell box a path as seen inside, in which a symbolic link refuses the launch.
   */
  readonly cwd: string;
  /** The whole environment of the program: nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * As for `spawn`; index 3 may be `pipe`, which Node makes a connected socket pair. Descriptors
   * beyond the named ones are closed. `ipc` is refused.
   */
  readonly stdio: StdioOptions;
}

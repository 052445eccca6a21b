/** One command of a piece: the text of a `bash` call. */
export interface Command {
  readonly run: string;
  /** Started and left running (a server, a watcher); it ends with the piece. */
  readonly background?: true;
}

/** A command, or several that run at the same time, each in a session of its own. */
export type Step = string | Command | readonly string[];

/**
 * A piece of everyday shell work. `{{port}}` in its texts stands for a port that is free on this
 * machine, the same one in both plays.
 */
export interface Piece {
  /** Unique within its group. */
  readonly name: string;
  /** Programs without which it can't be played; absolute paths are files that must exist. */
  readonly needs?: readonly string[];
  /** Only played by root, or only by an ordinary user. */
  readonly as?: 'root' | 'user';
  /** True if the toolchains in the person's home are put there. */
  readonly toolchains?: true;
  /** Prepares the working folder, outside of any box. Runs in bash with `-e`. */
  readonly setUp?: string;
  /** The folder of the session below the piece's place. Default `work`. */
  readonly folder?: string;
  readonly steps: readonly Step[];
}

export interface Group {
  readonly name: string;
  readonly title: string;
  readonly pieces: readonly Piece[];
}

/** The commands of a step; only one can be in the background. */
export function commandsOf(step: Step): readonly Command[] {
  if (typeof step === 'string') return [{ run: step }];
  if ('run' in step) return [step];
  return step.map((run) => ({ run }));
}

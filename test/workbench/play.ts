import type { Tree } from './read-tree.ts';

/** One command as it was played. */
export interface Played {
  readonly run: string;
  /** Its exit status, 128 + n for a signal; `timeout`; or undefined in the background. */
  readonly exit: number | 'timeout' | undefined;
  /** Standard output and error, masked. */
  readonly output: string;
  /** The same with the notes below it, in case the command printed lines that look like notes. */
  readonly withNotes?: string;
  /** Questions about it: rule and reason of each. Only in the box. */
  readonly questions: readonly string[];
  /** Why it was refused or its changes discarded. Only in the box. */
  readonly refusals: readonly string[];
}

/** A piece as it was played: its commands in order, and what they left. */
export interface Play {
  readonly commands: readonly Played[];
  readonly tree: Tree;
}

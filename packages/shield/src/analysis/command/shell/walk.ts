import type { Effect } from '../../effects/effect.ts';
import type { Labels } from '../../effects/labels.ts';
import type { Place } from '../../effects/place.ts';
import type { Budget } from './budget.ts';
import type { ShellState } from './shell-state.ts';
import type { Text } from './text.ts';

/** What grammars of programs may say about a command, and ask of the shell around it. */
export interface Walk {
  readonly state: ShellState;
  readonly budget: Budget;
  /** Hosts that the call was granted, in lower case. */
  readonly hosts: readonly string[];
  emit(effect: Effect): void;
  placeOf(path: Text): Place;
  /** Reads a file: gives its content, as far as the command itself wrote it, and the labels of its place. */
  read(path: Text, kind?: string): Text;
  write(path: Text, content: Text, kind?: string): void;
  remove(path: Text, kind?: string): void;
  change(path: Text, kind: string): void;
  /** Runs a program by its words, with what it reads; gives what it prints. */
  run(words: readonly Text[], stdin: Text): Text;
  /** Runs text as a script of the shell. */
  shell(code: Text, options?: ShellOptions): Text;
  /** Acts on one kind of power that is no file and no host. */
  administer(kind: string, object: string, labels?: Labels): void;
  /** The same walk in a subshell. */
  apart(): Walk;
}

export interface ShellOptions {
  readonly stdin?: Text;
  /** `$0`, `$1`, … */
  readonly parameters?: readonly Text[];
  /** True for `eval` and `source`: the script changes this shell. */
  readonly same?: boolean;
}

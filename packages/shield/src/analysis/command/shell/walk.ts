import type { Effect } from '../../effects/effect.ts';
import type { Labels } from '../../effects/labels.ts';
import type { Place } from '../../effects/place.ts';
import type { Budget } from './budget.ts';
import type { ShellState } from './shell-state.ts';
import type { Text } from './text.ts';

/** The interface between program grammars and the shell around the command. */
export interface Walk {
  readonly state: ShellState;
  readonly budget: Budget;
  /** Hosts granted to the call, in lower case. */
  readonly hosts: readonly string[];
  emit(effect: Effect): void;
  placeOf(path: Text): Place;
  /**
   * Reads a file: returns its content, if the command itself wrote it, with the labels of its
   * place.
   */
  read(path: Text, kind?: string): Text;
  write(path: Text, content: Text, kind?: string): void;
  remove(path: Text, kind?: string): void;
  change(path: Text, kind: string): void;
  /** Runs a program with its words and input; returns its output. */
  run(words: readonly Text[], stdin: Text): Text;
  /** Runs text as a script of the shell. */
  shell(code: Text, options?: ShellOptions): Text;
  /** Emits a use of a power that is neither a file nor a host. */
  administer(kind: string, object: string, labels?: Labels): void;
  /** The same walk in a subshell. */
  apart(): Walk;
}

export interface ShellOptions {
  readonly stdin?: Text;
  /** `$0`, `$1`, … */
  readonly parameters?: readonly Text[];
  /** True for `eval` and `source`: the script runs in the same shell and changes it. */
  readonly same?: boolean;
}

import type { Statement } from 'unbash';
import type { Effect } from '../../effects/effect.ts';
import type { PlaceBook } from '../../effects/place-book.ts';
import type { Budget } from '../shell/budget.ts';
import type { Text } from '../shell/text.ts';
import type { ShellOptions, Walk } from '../shell/walk.ts';

/**
 * Shared by all walks of one analysis: its budget, its results, and the walkers, injected so that
 * they need not import one another.
 */
export interface Analysis {
  readonly budget: Budget;
  readonly hosts: readonly string[];
  /** In execution order. */
  readonly effects: Effect[];
  readonly places: PlaceBook;
  /**
   * Called with every simple command before it starts: once with its words, and again if it has
   * parts that are not plain words.
   */
  readonly onCommand: (words: readonly Text[], plain: boolean) => void;
  readonly walkStatements: (statements: readonly Statement[], step: Step) => Text;
  /** Runs text as a script. */
  readonly runScript: (code: Text, walk: Walk, analysis: Analysis, options: ShellOptions) => Text;
  /** True if a process reads the data written to this name. */
  readonly runScriptSink: (path: string, content: Text, walk: Walk, analysis: Analysis) => boolean;
  /** Undefined if the first word names no function of the script. */
  readonly runFunction: (
    words: readonly Text[],
    stdin: Text,
    walk: Walk,
    analysis: Analysis,
  ) => Text | undefined;
}

/** The shell and the input with which a node is walked. */
export interface Step {
  readonly walk: Walk;
  readonly analysis: Analysis;
  readonly stdin: Text;
}

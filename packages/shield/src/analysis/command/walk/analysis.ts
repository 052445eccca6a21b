import type { Statement } from 'unbash';
import type { Effect } from '../../effects/effect.ts';
import type { PlaceBook } from '../../effects/place-book.ts';
import type { Budget } from '../shell/budget.ts';
import type { Text } from '../shell/text.ts';
import type { ShellOptions, Walk } from '../shell/walk.ts';

/** What all walks of one analysis share: its budget, what it found, and the walkers, passed in so that they need not know one another. */
export interface Analysis {
  readonly budget: Budget;
  readonly hosts: readonly string[];
  /** In the order in which they would happen. */
  readonly effects: Effect[];
  readonly places: PlaceBook;
  /** Told of every simple command that would start, before it does: once by its words, and once more if it is more than words. */
  readonly onCommand: (words: readonly Text[], plain: boolean) => void;
  readonly walkStatements: (statements: readonly Statement[], step: Step) => Text;
  /** Runs text as a script. */
  readonly runScript: (code: Text, walk: Walk, analysis: Analysis, options: ShellOptions) => Text;
  /** True if a process reads what is written to this name. */
  readonly runScriptSink: (path: string, content: Text, walk: Walk, analysis: Analysis) => boolean;
  /** Undefined if the first word names no function of the script. */
  readonly runFunction: (
    words: readonly Text[],
    stdin: Text,
    walk: Walk,
    analysis: Analysis,
  ) => Text | undefined;
}

/** Where a node is walked: in which shell, and what it reads. */
export interface Step {
  readonly walk: Walk;
  readonly analysis: Analysis;
  readonly stdin: Text;
}

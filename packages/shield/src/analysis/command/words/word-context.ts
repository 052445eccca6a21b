import type { Script } from 'unbash';
import type { Budget } from '../shell/budget.ts';
import type { Text } from '../shell/text.ts';

/** The shell operations that the expansion of words uses. */
export interface WordContext {
  readonly budget: Budget;
  readonly home: string;
  /** Undefined for an unknown variable; an unset one is an empty text. */
  variable(name: string): Text | undefined;
  /** Elements of an array, or the arguments for `@`. */
  elements(name: string): readonly Text[] | undefined;
  assign(name: string, value: Text): void;
  /** Returns the output of a command substitution. */
  substitute(script: Script): Text;
  /** The name of the file that stands for a process. */
  process(script: Script, operator: '<' | '>'): Text;
  /** Runs text during the expansion of a word. */
  evaluate(text: Text): void;
}

import type { Script } from 'unbash';
import type { Budget } from '../shell/budget.ts';
import type { Text } from '../shell/text.ts';

/** What the expansion of words needs to know of the shell, and may do to it. */
export interface WordContext {
  readonly budget: Budget;
  readonly home: string;
  /** Undefined for a variable of which nothing is known; not set is an empty text. */
  variable(name: string): Text | undefined;
  /** Elements of an array, or the arguments for `@`. */
  elements(name: string): readonly Text[] | undefined;
  assign(name: string, value: Text): void;
  /** What a command substitution prints. */
  substitute(script: Script): Text;
  /** The name of the file that stands for a process. */
  process(script: Script, operator: '<' | '>'): Text;
  /** Text that is run while a word is expanded. */
  evaluate(text: Text): void;
}

import type { OptionTable } from './arguments/option-table.ts';
import type { ParsedArguments } from './arguments/parse-arguments.ts';
import type { Environment } from './environment.ts';

/** One word after `bulkhead`. */
export interface Command {
  /** What follows the command's name: `[--json] PROMPT`. */
  readonly usage: string;
  readonly about: string;
  /** More for `--help`, lines as they are printed. */
  readonly details?: readonly string[];
  readonly options: OptionTable;
  /** Words that may come first, where it is one of a few: `list` of `bulkhead audit list`. */
  readonly verbs?: readonly string[];
  /** Set if words may follow the options; else they are refused. */
  readonly takesWords?: true;
  /**
   * @returns the exit code
   * @throws BulkheadError told to the person in one line
   */
  run(args: ParsedArguments, environment: Environment): Promise<number>;
}

/** A command in the table: known by name, loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Command>;
}

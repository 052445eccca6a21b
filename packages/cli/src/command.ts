import type { OptionTable } from './arguments/option-table.ts';
import type { ParsedArguments } from './arguments/parse-arguments.ts';
import type { Environment } from './environment.ts';

/** One word after `bulkhead`. */
export interface Command {
  /** The arguments after the command's name: `[--json] PROMPT`. */
  readonly usage: string;
  readonly about: string;
  /** More text for `--help`, in printed lines. */
  readonly details?: readonly string[];
  readonly options: OptionTable;
  /** Allowed first words, if there are a few: `list` of `bulkhead audit list`. */
  readonly verbs?: readonly string[];
  /** Set if words may follow the options; otherwise they are refused. */
  readonly takesWords?: true;
  /**
   * @returns the exit code
   * @throws BulkheadError shown to the person in one line
   */
  run(args: ParsedArguments, environment: Environment): Promise<number>;
}

/** A command in the table: known by name, loaded when called. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Command>;
}

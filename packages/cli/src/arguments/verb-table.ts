import { BulkheadError } from '@bulkhead/protocol';
import { enumerate } from './enumerate.ts';
import { nearest } from './nearest.ts';
import type { OptionTable } from './option-table.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** A word after a command: `list` of `bulkhead audit list`. */
interface VerbEntry<Verb> {
  /**
   * Names of its words: `[NAME]` is optional, one that ends in `…` takes all remaining words as
   * one.
   */
  readonly words?: readonly string[];
  /** The text after its words in the usage line. */
  readonly usage?: string;
  /** For the help, one line or several. */
  readonly about: string | readonly string[];
  /** The options it accepts, beside `--json`. */
  readonly options?: readonly string[];
  load(): Promise<Verb>;
}

/** The first one is the default. */
export type VerbTable<Verb> = Readonly<Record<string, VerbEntry<Verb>>>;

interface ChosenVerb<Verb> {
  readonly verb: VerbEntry<Verb>;
  /** One value for each word that was given. */
  readonly words: readonly string[];
}

/**
 * The called verb, with its words and options checked against its table.
 *
 * @param options of the command
 * @throws BulkheadError `usage`: unknown verb, a missing word or too many, an option of another
 * verb
 */
export function chooseVerb<Verb>(
  command: string,
  table: VerbTable<Verb>,
  options: OptionTable,
  args: ParsedArguments,
): ChosenVerb<Verb> {
  const [name = Object.keys(table)[0] ?? '', ...given] = args.words;
  const verb = Object.hasOwn(table, name) ? table[name] : undefined;
  if (verb === undefined) {
    const near = nearest(name, Object.keys(table));
    throw verbUsageError(
      command,
      `unknown: ${command} ${name}${near === undefined ? '' : ` (did you mean "${near}"?)`}`,
    );
  }
  const words = wordsFor(command, name, verb, given);
  const known = ['json', ...(verb.options ?? [])];
  const stray = Object.keys(options).find((option) => args.flag(option) && !known.includes(option));
  if (stray !== undefined)
    throw verbUsageError(command, `--${stray} does not apply to \`${command} ${name}\``);
  return { verb, words };
}

function wordsFor<Verb>(
  command: string,
  name: string,
  { words = [] }: VerbEntry<Verb>,
  given: readonly string[],
): readonly string[] {
  const needed = words.filter((word) => !word.startsWith('['));
  if (given.length < needed.length) {
    const names = enumerate(
      needed.map((word) => word.replace('…', '')),
      'and',
    );
    throw verbUsageError(command, `\`${command} ${name}\` needs ${names}`);
  }
  const isOpen = words.at(-1)?.endsWith('…') === true;
  const extra = given[words.length];
  if (extra !== undefined && !isOpen) {
    throw verbUsageError(command, `unexpected argument "${extra}" for \`${command} ${name}\``);
  }
  if (!isOpen) return given;
  return [...given.slice(0, words.length - 1), given.slice(words.length - 1).join(' ')];
}

/** `list | show ID` */
export function verbUsage<Verb>(table: VerbTable<Verb>): string {
  return Object.entries(table)
    .map(([name, { words = [], usage }]) => {
      const named = words.map((word) => word.replace('…', ''));
      return [name, ...named, ...(usage === undefined ? [] : [usage])].join(' ');
    })
    .join(' | ');
}

/** One line or more for each verb, with their beginnings aligned. */
export function verbDetails<Verb>(table: VerbTable<Verb>): readonly string[] {
  const width = Math.max(...Object.keys(table).map((name) => name.length));
  return Object.entries(table).flatMap(([name, { about }]) =>
    [about].flat().map((line, at) => `${(at === 0 ? name : '').padEnd(width)}  ${line}`),
  );
}

/** A mistake in the use of a command. */
export function verbUsageError(
  command: string,
  message: string,
  fix = `See \`bulkhead ${command} --help\`.`,
): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}

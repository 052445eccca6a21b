import { COMMON_OPTIONS } from '../arguments/option-table.ts';
import type { CommandEntry } from '../command.ts';

/** The completions after an option. */
type ValueKind = 'none' | 'files' | 'folders' | 'words' | 'anything';

export interface CompletedOption {
  readonly name: string;
  readonly short: string | undefined;
  readonly about: string;
  readonly value: ValueKind;
  /** With `words`: the words that may follow. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly verbs: readonly string[];
  readonly options: readonly CompletedOption[];
}

const VALUE_KINDS: Readonly<Record<string, ValueKind>> = { DIR: 'folders', FILE: 'files', PATH: 'files' };

/**
 * Every command for shell completion, derived from the tables of parser and help so they always
 * agree.
 */
export async function completionTable(
  commands: readonly CommandEntry[],
): Promise<readonly CompletedCommand[]> {
  const loaded = await Promise.all(
    commands.map(async ({ name, about, load }) => ({ name, about, command: await load() })),
  );
  return loaded.map(({ name, about, command }) => ({
    name,
    about,
    verbs: command.verbs ?? [],
    options: Object.entries({ ...command.options, ...COMMON_OPTIONS })
      .filter(([, { about: said }]) => said !== '')
      .map(([option, { about: said, value, short, choices = [] }]) => ({
        name: option,
        short,
        about: said,
        value: kindOf(value, choices),
        choices,
      })),
  }));
}

function kindOf(value: string | undefined, choices: readonly string[]): ValueKind {
  if (value === undefined) return 'none';
  return choices.length > 0 ? 'words' : (VALUE_KINDS[value] ?? 'anything');
}

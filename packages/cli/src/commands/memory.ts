import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { MemoryVerb } from './memory-verb.ts';

const VERBS: VerbTable<MemoryVerb> = {
  show: {
    words: ['[FILE]'],
    about: 'the files of memory with size, age and entries; with a name, the text of that file',
    load: async () => (await import('./memory-show.ts')).showMemory,
  },
  search: {
    words: ['QUERY…'],
    usage: '[--limit N]',
    about: 'searches files and past sessions',
    options: ['limit'],
    load: async () => (await import('./memory-search.ts')).searchMemory,
  },
  add: {
    words: ['TEXT…'],
    usage: '[--file FILE] [--heading H] [--yes]',
    about: 'remembers a line: in memory (MEMORY.md), daily (the notes of today) or user (USER.md)',
    options: ['file', 'heading', 'replaces', 'yes'],
    load: async () => (await import('./memory-add.ts')).addMemory,
  },
  reindex: {
    about: 'rebuilds the index from the files',
    load: async () => (await import('./memory-reindex.ts')).reindexMemory,
  },
  review: {
    words: ['[DECISION]', '[ID]'],
    about: [
      'pending proposals with their changes [--all]; then `review accept ID`, `review reject ID`, or',
      '`review revert ID` for an accepted one. ID may be shortened to its beginning',
    ],
    options: ['all'],
    load: async () => (await import('./memory-review.ts')).reviewMemory,
  },
};

export const memoryCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows, searches, adds to and reviews memory. The files are yours: change them with any editor.',
  details: [
    ...verbDetails(VERBS),
    '',
    'A fact that exists is not written twice. `bulkhead chronicle rollback ID` undoes an addition.',
    'A line that looks like a password or a key needs confirmation, because models receive memory.',
    'Exit codes: 0 done, 3 not confirmed.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    limit: { about: 'search: maximum number of hits (5)', value: 'N' },
    file: {
      about: 'add: memory, daily, user, agents or heartbeat',
      value: 'FILE',
      choices: ['memory', 'daily', 'user', 'agents', 'heartbeat'],
    },
    heading: { about: 'add: the heading to add it under', value: 'H' },
    replaces: { about: 'add: the line that it replaces', value: 'LINE' },
    all: { about: 'review: show decided proposals too' },
    yes: { about: 'add: even if it looks like a password or a key' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('memory', VERBS, memoryCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  return await link.once((client) => call({ client, words, args, environment, stdout, stderr }));
}

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
    about: 'the files of memory with size, age and entries; with a name, what is in it',
    load: async () => (await import('./memory-show.ts')).showMemory,
  },
  search: {
    words: ['QUERY…'],
    usage: '[--limit N]',
    about: 'what is nearest to some words, in files and past sessions',
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
    about: 'makes the index anew from the files',
    load: async () => (await import('./memory-reindex.ts')).reindexMemory,
  },
  review: {
    words: ['[DECISION]', '[ID]'],
    about: [
      'what waits for you, with what it would change [--all]; then `review accept ID`, `review reject ID`, or',
      '`review revert ID` for what you accepted. ID may be the beginning of one',
    ],
    options: ['all'],
    load: async () => (await import('./memory-review.ts')).reviewMemory,
  },
};

export const memoryCommand: Command = {
  usage: verbUsage(VERBS),
  about:
    'Shows, searches and adds to what outlives sessions. The files are yours: change them with any editor.',
  details: [
    ...verbDetails(VERBS),
    '',
    'A fact that exists is not written twice. `bulkhead chronicle rollback ID` takes back what was added.',
    'What looks like a password or a key is asked about first: memory is part of what models are sent.',
    'Exit codes: 0 done, 3 you did not say yes.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    limit: { about: 'search: most hits (5)', value: 'N' },
    file: {
      about: 'add: memory, daily, user, agents or heartbeat',
      value: 'FILE',
      choices: ['memory', 'daily', 'user', 'agents', 'heartbeat'],
    },
    heading: { about: 'add: the heading it stands under', value: 'H' },
    replaces: { about: 'add: the line it stands for from now on', value: 'LINE' },
    all: { about: 'review: also what was decided' },
    yes: { about: 'add: also what looks like a password or a key' },
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

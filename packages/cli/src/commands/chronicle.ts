import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { ChronicleVerb } from './chronicle-verb.ts';

const VERBS: VerbTable<ChronicleVerb> = {
  list: {
    about: 'actions with changes, newest first, undone ones included [--limit N]',
    options: ['limit'],
    load: async () => (await import('./chronicle-list.ts')).listSnapshots,
  },
  diff: {
    words: ['ID'],
    about: 'shows the changes of an action, compared with the present state',
    options: ['turn'],
    load: async () => (await import('./chronicle-diff.ts')).diffSnapshot,
  },
  rollback: {
    words: ['ID'],
    usage: '[--turn]',
    about: [
      'restores the state before an action. If something was changed since, it restores nothing and',
      'lists the conflicts; --skip-conflicts restores the rest. A rollback can be undone in the same way',
    ],
    options: ['turn', 'skip-conflicts', 'dry-run'],
    load: async () => (await import('./chronicle-rollback.ts')).rollBack,
  },
  verify: {
    about: 'checks the hashes of all stored contents',
    load: async () => (await import('./chronicle-list.ts')).verifyChronicle,
  },
};

export const chronicleCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Lists, shows and undoes the changes of actions.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID is the id of an action, or at least its first six characters. --turn stands for the whole answer that the',
    'action belongs to.',
    'Exit codes: 0 done, 1 damage was found, 3 a conflict: nothing was restored.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    limit: { about: 'list: maximum number (50)', value: 'N' },
    turn: { about: 'diff, rollback: the whole answer' },
    'skip-conflicts': { about: 'rollback: skip conflicts, restore the rest' },
    'dry-run': { about: 'rollback: only show what would change' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('chronicle', VERBS, chronicleCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const { link } = await openEngine(homeOf(environment), environment, {
    signal: new AbortController().signal,
  });
  using _link = link;
  return await link.once((client) => call({ client, id: words[0] ?? '', args, stdout, stderr }));
}

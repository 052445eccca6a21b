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
    about: 'actions that changed something, newest first, and those that were taken back [--limit N]',
    options: ['limit'],
    load: async () => (await import('./chronicle-list.ts')).listSnapshots,
  },
  diff: {
    words: ['ID'],
    about: 'what an action changed, against what is there now',
    options: ['turn'],
    load: async () => (await import('./chronicle-diff.ts')).diffSnapshot,
  },
  rollback: {
    words: ['ID'],
    usage: '[--turn]',
    about: [
      'puts everything back as it was before an action. If something was changed since, nothing is touched and',
      'it says what; --skip-conflicts restores the rest. A rollback is in the list, too: take it back the same way',
    ],
    options: ['turn', 'skip-conflicts', 'dry-run'],
    load: async () => (await import('./chronicle-rollback.ts')).rollBack,
  },
  verify: {
    about: 'hashes everything that is kept again',
    load: async () => (await import('./chronicle-list.ts')).verifyChronicle,
  },
};

export const chronicleCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows what actions changed, and takes it back.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID is the id of an action, or at least six characters of its beginning. With --turn all of the answer counts that the',
    'action belongs to.',
    'Exit codes: 0 done, 1 damage was found, 3 a conflict: nothing was touched.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    limit: { about: 'list: how many (50)', value: 'N' },
    turn: { about: 'diff, rollback: the whole answer' },
    'skip-conflicts': { about: 'rollback: leave what was changed since, restore the rest' },
    'dry-run': { about: 'rollback: only say what would be' },
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

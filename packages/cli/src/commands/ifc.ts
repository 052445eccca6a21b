import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { IfcVerb } from './ifc-verb.ts';

const VERBS: VerbTable<IfcVerb> = {
  list: {
    about: 'labels of sessions, files and stores: secrecy, and who could write them [--session ID]',
    options: ['session'],
    load: async () => (await import('./ifc-list.ts')).listLabels,
  },
  explain: {
    words: ['ACTION'],
    about: [
      'the verdict of information flow on an action, with source and possible writers of each value. ACTION is an id',
      'of `bulkhead audit list`, or at least its first six characters; the present rules apply',
    ],
    options: ['session'],
    load: async () => (await import('./ifc-explain.ts')).explainFlow,
  },
  declassify: {
    usage: '--session ID',
    about: 'declassifies all that a session has read so far; data that others wrote stays untrusted',
    options: ['session', 'yes'],
    load: async () => (await import('./ifc-lower.ts')).declassify,
  },
  trust: {
    words: ['VALUE'],
    usage: '--session ID',
    about: 'makes a session trust one value as your own words: an address, an account, a link',
    options: ['session', 'yes'],
    load: async () => (await import('./ifc-lower.ts')).trustValue,
  },
};

export const ifcCommand: Command = {
  usage: verbUsage(VERBS),
  about:
    'Shows the data that sessions have read, its secrecy and possible writers; lets you declassify or trust it.',
  details: [
    ...verbDetails(VERBS),
    '',
    'The last two ask first, are recorded in the audit log, and need an idle session.',
    'Exit codes: 0 done, 3 not confirmed.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    session: { about: 'id of a session, or at least its first six characters', value: 'ID' },
    yes: { about: "declassify, trust: don't ask" },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('ifc', VERBS, ifcCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  return await link.once((client) =>
    call({ client, word: words[0] ?? '', args, environment, stdout, stderr }),
  );
}

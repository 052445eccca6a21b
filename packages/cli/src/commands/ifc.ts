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
    about: 'what sessions, files and stores carry: secrecy, and who could write it [--session ID]',
    options: ['session'],
    load: async () => (await import('./ifc-list.ts')).listLabels,
  },
  explain: {
    words: ['ACTION'],
    about: [
      'what flow says of an action, and for each value where it is from and who could write it. ACTION is an id,',
      'as `bulkhead audit list` shows it, or at least six characters of its beginning; the rules are those of now',
    ],
    options: ['session'],
    load: async () => (await import('./ifc-explain.ts')).explainFlow,
  },
  declassify: {
    usage: '--session ID',
    about: 'takes the secrecy from all that a session has read so far; what others wrote stays foreign',
    options: ['session', 'yes'],
    load: async () => (await import('./ifc-lower.ts')).declassify,
  },
  trust: {
    words: ['VALUE'],
    usage: '--session ID',
    about: 'lets one value count in a session as if you had said it: an address, an account, a link',
    options: ['session', 'yes'],
    load: async () => (await import('./ifc-lower.ts')).trustValue,
  },
};

export const ifcCommand: Command = {
  usage: verbUsage(VERBS),
  about:
    'Shows what sessions have read, how secret it is and who could write it, and takes back what only you can.',
  details: [
    ...verbDetails(VERBS),
    '',
    'The last two ask first, are in the audit log, and need a session in which nothing is under way.',
    'Exit codes: 0 done, 3 you said no, or there was nobody to ask.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    session: { about: 'a session, or at least six characters of its beginning', value: 'ID' },
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

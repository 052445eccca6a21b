import { nearest } from '../arguments/nearest.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { explainFlow } from './ifc-explain.ts';
import { listLabels } from './ifc-list.ts';
import { declassify, trustValue } from './ifc-lower.ts';
import { type IfcVerb, ifcUsage } from './ifc-verb.ts';

interface VerbEntry {
  /** What its word is called; undefined for a verb that takes none. */
  readonly word?: string;
  /** True for what asks first. */
  readonly asks: boolean;
  readonly call: IfcVerb;
}

const VERBS: Readonly<Record<string, VerbEntry>> = {
  list: { asks: false, call: listLabels },
  explain: { word: 'ACTION', asks: false, call: explainFlow },
  declassify: { asks: true, call: declassify },
  trust: { word: 'VALUE', asks: true, call: trustValue },
};

export const ifcCommand: Command = {
  usage: 'list | explain ACTION | declassify --session ID | trust VALUE --session ID',
  about:
    'Shows what sessions have read, how secret it is and who could write it, and takes back what only you can.',
  details: [
    'list        what sessions, files and stores carry: secrecy, and who could write it; and the tools that your ifc.yaml',
    '            describes [--session ID]',
    'explain     what flow says of an action, and for each value where it is from and who could write it. ACTION is an id',
    '            as `bulkhead audit list` shows it, or at least six characters of its beginning; the rules are those of now',
    'declassify  takes the secrecy from all that a session has read so far; what others wrote stays foreign',
    'trust       lets one value count in a session as if you had said it: an address, an account, a link',
    '',
    'The last two ask first, are in the audit log, and need a session in which nothing is under way.',
    'Exit codes: 0 done, 3 you said no, or there was nobody to ask.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    session: { about: 'a session, or at least six characters of its beginning', value: 'ID' },
    yes: { about: "declassify, trust: don't ask" },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [name = 'list', word, ...rest] = args.words;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    const near = nearest(name, Object.keys(VERBS));
    throw ifcUsage(`unknown: ifc ${name}${near === undefined ? '' : ` (did you mean "${near}"?)`}`);
  }
  if (verb.word !== undefined && word === undefined) throw ifcUsage(`\`ifc ${name}\` needs ${verb.word}`);
  const extra = verb.word === undefined ? word : rest[0];
  if (extra !== undefined) throw ifcUsage(`"${extra}" is one word too many for \`ifc ${name}\``);
  if (args.flag('yes') && !verb.asks) throw ifcUsage(`--yes means nothing to \`ifc ${name}\``);
  const stdout = new Output(environment.stdout, environment.env);
  const stderr = new Output(environment.stderr, environment.env);
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  return await link.once((client) =>
    verb.call({ client, word: word ?? '', args, environment, stdout, stderr }),
  );
}

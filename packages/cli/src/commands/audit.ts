import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import { type AuditVerb, auditUsage } from './audit-verb.ts';

interface VerbEntry {
  /** How many words it takes. */
  readonly words: number;
  /** Options that mean something to it, beside `--json`. */
  readonly options: readonly string[];
  load(): Promise<AuditVerb>;
}

const VERBS: Readonly<Record<string, VerbEntry>> = {
  list: {
    words: 0,
    options: ['action', 'session', 'since', 'limit'],
    load: async () => (await import('./audit-list.ts')).listAudit,
  },
  verify: {
    words: 0,
    options: ['witness', 'key', 'chain'],
    load: async () => (await import('./audit-verify.ts')).verifyAudit,
  },
  export: {
    words: 0,
    options: ['output'],
    load: async () => (await import('./audit-export.ts')).exportAudit,
  },
  'rotate-key': {
    words: 0,
    options: [],
    load: async () => (await import('./audit-rotate-key.ts')).rotateAuditKey,
  },
  proof: {
    words: 1,
    options: ['output'],
    load: async () => (await import('./audit-proof.ts')).proveAudit,
  },
};

export const auditCommand: Command = {
  usage: 'list | verify | export --output DIR | proof ID | rotate-key',
  about: 'Shows, verifies, exports and proves the record of every action. Works with and without an engine.',
  details: [
    'list     the last entries, oldest first [--action ID] [--session ID] [--since TIME] [--limit N]',
    'verify   reads the whole log and recomputes it; names the first bad entry [--witness FILE] [--key KEY] [--chain]',
    'export   a copy of the log with its checkpoints, its public key and a verifier that needs nothing but Node.js',
    'proof    of what the log holds of an action, or, for SIZE..SIZE of two checkpoints, that it only grew; the',
    '         verifier of an export checks it: node verify.mjs --proof FILE [--output FILE]',
    'rotate-key  has the engine make another signing key; the old one signs that, and goes. Verifiers follow',
    '',
    'Exit codes of verify: 0 all is well, 1 something is not.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    action: { about: 'list: of this action only', value: 'ID' },
    session: { about: 'list: of this session only', value: 'ID' },
    since: { about: 'list: of this time or later, as in 2026-01-31 or 2026-01-31T12:00Z', value: 'TIME' },
    limit: { about: 'list: how many (50)', value: 'N' },
    witness: { about: 'verify: a copy of the checkpoints that the engine could not reach', value: 'FILE' },
    key: { about: "verify: the log's public key, as you know it from elsewhere", value: 'KEY' },
    chain: { about: 'verify: follow the hash chain also where the signed tree vouches for the entries' },
    output: { about: 'export: a new folder; proof: a file', value: 'PATH' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [name = 'list', ...words] = args.words;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    const near = nearest(name, Object.keys(VERBS));
    throw auditUsage(`unknown: audit ${name}${near === undefined ? '' : ` (did you mean "${near}"?)`}`);
  }
  if (words.length !== verb.words) {
    throw auditUsage(`\`audit ${name}\` takes ${verb.words === 0 ? 'no words' : 'one id'}`);
  }
  const known = ['json', ...verb.options];
  const stray = Object.keys(auditCommand.options).find((one) => args.flag(one) && !known.includes(one));
  if (stray !== undefined) throw auditUsage(`--${stray} means nothing to \`audit ${name}\``);
  const call = await verb.load();
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  const stdout = new Output(environment.stdout, environment.env);
  const folder = homeOf(environment).audit;
  try {
    return await call({ folder, words, args, stdout, environment, signal: stop.signal });
  } catch (cause) {
    if (stop.signal.aborted) throw new BulkheadError('cancelled', 'stopped', { cause });
    throw cause;
  }
}

import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import type { AuditVerb } from './audit-verb.ts';

const VERBS: VerbTable<AuditVerb> = {
  list: {
    options: ['action', 'session', 'since', 'limit'],
    about: 'the last entries, oldest first [--action ID] [--session ID] [--since TIME] [--limit N]',
    load: async () => (await import('./audit-list.ts')).listAudit,
  },
  verify: {
    options: ['witness', 'key', 'chain'],
    about:
      'reads the whole log and recomputes it; names the first bad entry [--witness FILE] [--key KEY] [--chain]',
    load: async () => (await import('./audit-verify.ts')).verifyAudit,
  },
  export: {
    options: ['output'],
    usage: '--output DIR',
    about:
      'a copy of the log with its checkpoints, its public key and a verifier that needs nothing but Node.js',
    load: async () => (await import('./audit-export.ts')).exportAudit,
  },
  'rotate-key': {
    about: 'has the engine make another signing key; the old one signs that, and goes. Verifiers follow',
    load: async () => (await import('./audit-rotate-key.ts')).rotateAuditKey,
  },
  proof: {
    words: ['ID'],
    options: ['output'],
    about: [
      'of what the log holds of an action, or, for SIZE..SIZE of two checkpoints, that it only grew; the',
      'verifier of an export checks it: node verify.mjs --proof FILE [--output FILE]',
    ],
    load: async () => (await import('./audit-proof.ts')).proveAudit,
  },
};

export const auditCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows, verifies, exports and proves the record of every action. Works with and without an engine.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID is the id of an action, --session of a session: whole, or at least six characters of its beginning.',
    'Exit codes of verify: 0 all is well, 1 something is not.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
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
  const { verb, words } = chooseVerb('audit', VERBS, auditCommand.options, args);
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

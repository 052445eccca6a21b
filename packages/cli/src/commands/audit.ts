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
    about:
      'makes a new signing key, signed by the old one, which is then deleted; verifiers follow the change',
    load: async () => (await import('./audit-rotate-key.ts')).rotateAuditKey,
  },
  proof: {
    words: ['ID'],
    options: ['output'],
    about: [
      'proves the log’s entries of an action or, with SIZE..SIZE of two checkpoints, that the log only grew; the',
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
    'ID is the id of an action, and --session takes the id of a session: whole, or at least the first six characters.',
    'Exit codes of verify: 0 valid, 1 not valid.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    action: { about: 'list: only this action', value: 'ID' },
    session: { about: 'list: only this session', value: 'ID' },
    since: { about: 'list: from this time on, as in 2026-01-31 or 2026-01-31T12:00Z', value: 'TIME' },
    limit: { about: 'list: maximum number (50)', value: 'N' },
    witness: { about: 'verify: a copy of the checkpoints that a witness keeps', value: 'FILE' },
    key: { about: "verify: the log's public key, from a source that you trust", value: 'KEY' },
    chain: { about: 'verify: check the hash chain of signed entries too' },
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

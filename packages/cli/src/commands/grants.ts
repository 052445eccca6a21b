import { BulkheadError, matchId } from '@bulkhead/protocol';
import type { GivenGrant } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import type { GrantsCall, GrantsVerb } from './grants-verb.ts';

const VERBS: VerbTable<GrantsVerb> = {
  list: { about: 'permissions for later commands, oldest first', load: async () => list },
  revoke: {
    words: ['ID'],
    about: 'take one back; the next command does not have it',
    load: async () => revoke,
  },
  toolchains: {
    words: ['[FOLDER]'],
    usage: '[--yes]',
    about: [
      'programs of your home that commands can be shown, as those of ~/.cargo/bin',
      '--yes lets commands in every folder run them all, or those of FOLDER',
    ],
    options: ['yes'],
    load: async () => (await import('./grants-toolchains.ts')).listToolchains,
  },
};

export const grantsCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows and changes what you have allowed later commands to reach or read.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID may be shortened to six or more characters. A grant begins with an answer for the session or for good.',
    'Exit codes: 0 done, 1 no such grant.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: { ...JSON_OPTION, yes: { about: 'allow the programs' } },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('grants', VERBS, grantsCommand.options, args);
  const call = await verb.load();
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const stdout = new Output(environment.stdout, environment.env);
  return await link.once((client) => call({ client, environment, words, args, stdout, signal }));
}

async function list({ client, args, stdout, signal }: GrantsCall): Promise<number> {
  const { grants } = await client.call('listGrants', {}, signal);
  if (args.flag('json')) stdout.own(`${JSON.stringify(grants.map(asJson))}\n`);
  else if (grants.length === 0) stdout.line('no grants');
  else for (const grant of grants) showGrant(grant, stdout);
  return EXIT.completed;
}

/** The kinds of grants that serve all commands of a folder, and what these may do. */
const MAY: Readonly<Record<string, string>> = {
  toolchain: 'may read and run programs in',
  folder: 'may read',
};

function showGrant(grant: GivenGrant, stdout: Output): void {
  const { bold, dim } = stdout.palette;
  const { grantId, kind, pattern, command, targets, scope, sessionId, folder, by, givenAt, expires } = grant;
  const read = kind === 'secret-file' ? 'may read' : 'may reach';
  const may = grant.write ? 'may read and change' : (MAY[kind] ?? read);
  const what = Object.hasOwn(MAY, kind) ? 'every command' : pattern === '' ? command : `${pattern} …`;
  const from = scope === 'home' ? 'every folder' : stdout.safeLine(folder);
  const until = scope === 'session' ? `for session ${sessionId}` : 'until it is revoked';
  const end = expires === '' ? until : `${until}, at most until ${expires}`;
  stdout.line(`${bold(stdout.safeLine(grantId))}  ${stdout.safeLine(what)}`);
  const where = Object.hasOwn(MAY, kind) ? 'from' : 'in';
  stdout.line(`  ${may} ${stdout.safeLine(targets.join(', '))} ${where} ${from}`);
  stdout.line(dim(`  ${stdout.safeLine(`${end}; given by ${by}, ${givenAt}`)}`));
}

async function revoke({ client, words: [id = ''], args, stdout, signal }: GrantsCall): Promise<number> {
  const { grants } = await client.call('listGrants', {}, signal);
  const grantId = matchId(
    id,
    grants.map((grant) => grant.grantId),
    'grants',
    'either',
  );
  if (grantId === undefined) {
    throw new BulkheadError('not_found', `no grant ${id}`, { fix: 'See `bulkhead grants list`.' });
  }
  const { revoked } = await client.call('revokeGrant', { grantId }, signal);
  if (args.flag('json')) stdout.own(`${JSON.stringify({ grantId, revoked })}\n`);
  else stdout.line(revoked ? `revoked ${stdout.safeLine(grantId)}` : 'it was revoked before');
  return revoked ? EXIT.completed : EXIT.failed;
}

function asJson({ $typeName: _, ...grant }: GivenGrant) {
  return grant;
}

import { resolve } from 'node:path';
import type { EngineClient } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { type TrustedFolder, TrustState } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { stateName } from '../trust/folder-lines.ts';
import { trustFolder } from '../trust/trust-folder.ts';

export const trustCommand: Command = {
  usage: '[DIR] [--yes] | --list | --revoke DIR',
  about: 'Trusts a folder: Bulkhead uses its AGENTS.md, CLAUDE.md and .bulkhead, exactly as they are now.',
  details: [
    'Shows the files and asks. Bulkhead ignores them before that. If a file is added, changed or removed later,',
    'Bulkhead ignores all of them until you trust the folder again. Folders above and below are not included.',
    'Exit codes: 0 trusted, or nothing to trust; 3 not trusted.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    yes: { about: "don't ask" },
    list: { about: 'show the trusted folders, and which of them have changed' },
    revoke: { about: 'stop trusting this folder', value: 'DIR' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [folder = '.', extra] = args.words;
  const revoked = args.value('revoke');
  const others = [args.flag('list'), revoked !== undefined, args.words.length > 0].filter(Boolean);
  if (extra !== undefined || others.length > 1) {
    throw new BulkheadError('usage', 'one folder, --list and --revoke DIR exclude each other', {
      fix: 'See `bulkhead trust --help`.',
    });
  }
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  return await link.once((client) => {
    if (args.flag('list')) return list(client, args, environment);
    if (revoked !== undefined) return revoke(client, resolve(environment.cwd, revoked), args, environment);
    return trustFolder(client, resolve(environment.cwd, folder), {
      environment,
      json: args.flag('json'),
      yes: args.flag('yes'),
    });
  });
}

async function list(client: EngineClient, args: ParsedArguments, environment: Environment): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const { folders } = await client.call('listTrusted', {});
  if (args.flag('json')) stdout.own(`${JSON.stringify(folders.map(asJson))}\n`);
  else if (folders.length === 0) stdout.line('no folder is trusted');
  else for (const folder of folders) showFolder(folder, stdout);
  return EXIT.completed;
}

function showFolder(
  { folder, trustedAt, files, state, changes, problem }: TrustedFolder,
  stdout: Output,
): void {
  const count = `${files} ${files === 1 ? 'file' : 'files'}`;
  const holds = state === TrustState.TRUSTED;
  const now = holds ? '' : `  ${stdout.palette.yellow('changed since: ignored')}`;
  stdout.line(`${stdout.safeLine(folder)}  ${count}, ${trustedAt}${now}`);
  if (problem !== '') stdout.line(`  ${stdout.safeLine(problem)}`);
  for (const { path, what } of changes) stdout.line(`  ${what} ${stdout.safeLine(path)}`);
}

function asJson({ folder, trustedAt, files, state, changes, problem }: TrustedFolder) {
  return {
    folder,
    trustedAt,
    files,
    state: stateName(state),
    changes: changes.map(({ path, what }) => ({ path, what })),
    ...(problem === '' ? {} : { problem }),
  };
}

async function revoke(
  client: EngineClient,
  folder: string,
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const { revoked } = await client.call('revokeTrust', { folder });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ folder, revoked })}\n`);
  else stdout.line(`${stdout.safeLine(folder)} ${revoked ? 'is no longer trusted' : 'was not trusted'}`);
  return EXIT.completed;
}

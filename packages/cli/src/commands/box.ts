import { resolve } from 'node:path';
import { connectEngine, type EngineClient } from '@bulkhead/client';
import type { PrivateHome } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

const VERBS: VerbTable<(call: BoxCall) => Promise<number>> = {
  show: {
    words: ['[DIR]'],
    about: 'path, size, labels and last use of the private home of a folder [--all: of every folder]',
    options: ['all'],
    load: async () => show,
  },
  reset: {
    words: ['[DIR]'],
    about: 'removes it, with the temporary files of its sessions',
    load: async () => reset,
  },
};

export const boxCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Shows and resets the private home of commands, where their caches and settings are kept.',
  details: [
    ...verbDetails(VERBS),
    '',
    'DIR is the working folder; without it, the current folder.',
    'A home is kept for all sessions of its folder. Undo does not cover it.',
    'Exit codes: 0 done, 1 a command runs there, or no engine.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: { ...JSON_OPTION, all: { about: 'the private homes of all folders' } },
  run,
};

interface BoxCall {
  readonly client: EngineClient;
  /** Absolute. */
  readonly workingFolder: string;
  readonly all: boolean;
  readonly stdout: Output;
  readonly json: boolean;
}

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('box', VERBS, boxCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  using client = await connectEngine(homeOf(environment));
  const workingFolder = resolve(environment.cwd, words[0] ?? '.');
  return await call({ client, workingFolder, all: args.flag('all'), stdout, json: args.flag('json') });
}

async function show({ client, workingFolder, all, stdout, json }: BoxCall): Promise<number> {
  const { homes } = await client.call('listPrivateHomes', { workingFolder: all ? '' : workingFolder });
  if (json) stdout.own(`${JSON.stringify(homes.map(homeAsJson))}\n`);
  else if (homes.length === 0) stdout.line('no private home: no command has run there');
  else for (const home of homes) showHome(home, stdout);
  return EXIT.completed;
}

async function reset({ client, workingFolder, stdout, json }: BoxCall): Promise<number> {
  const { homes } = await client.call('resetPrivateHome', { workingFolder });
  if (json) stdout.own(`${JSON.stringify({ removed: homes.map(homeAsJson) })}\n`);
  else if (homes.length === 0) stdout.line('no private home: nothing to remove');
  else for (const home of homes) stdout.line(`removed ${stdout.safeLine(home.path)}, ${sizeOf(home)}`);
  return EXIT.completed;
}

function showHome(home: PrivateHome, stdout: Output): void {
  const { bold, dim, yellow } = stdout.palette;
  const { workingFolder, path, maxBytes, usedAt, running, secrecy, trust } = home;
  stdout.line(`${bold(stdout.safeLine(workingFolder))}  ${sizeOf(home)} of ${mebibytes(maxBytes)}`);
  stdout.line(`  ${dim(`in ${stdout.safeLine(path)}`)}`);
  const used = new Date(Number(usedAt)).toISOString().slice(0, 16).replace('T', ' ');
  stdout.line(`  ${dim(`last used ${used} UTC${running > 0 ? `, ${running} running` : ''}`)}`);
  if (secrecy !== '') stdout.line(`  ${yellow(`holds data of sessions that read: ${secrecy}, ${trust}`)}`);
  if (isFull(home))
    stdout.line(`  ${yellow('read-only: too large. `bulkhead box reset` removes its content')}`);
}

function isFull({ bytes, more, maxBytes }: PrivateHome): boolean {
  return more || bytes > maxBytes;
}

function sizeOf({ bytes, more }: PrivateHome): string {
  return `${more ? 'more than ' : ''}${mebibytes(bytes)}`;
}

function mebibytes(bytes: bigint): string {
  return `${(Number(bytes) / 1024 ** 2).toFixed(1)} MiB`;
}

function homeAsJson(home: PrivateHome) {
  const { workingFolder, path, bytes, maxBytes, usedAt, running, secrecy, trust } = home;
  return {
    ...{ workingFolder, path, running },
    ...{ bytes: Number(bytes), maxBytes: Number(maxBytes), isFull: isFull(home) },
    usedAt: new Date(Number(usedAt)).toISOString(),
    label: secrecy === '' ? null : { secrecy, trust },
  };
}

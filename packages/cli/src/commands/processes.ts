import { setTimeout as sleep } from 'node:timers/promises';
import { connectEngine, type EngineClient } from '@bulkhead/client';
import { BulkheadError, matchId } from '@bulkhead/protocol';
import type { CommandInfo } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { chooseVerb, type VerbTable, verbDetails, verbUsage } from '../arguments/verb-table.ts';
import type { Command } from '../command.ts';
import { wholeSessionId } from '../conversation/find-session.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

const VERBS: VerbTable<(call: ProcessesCall) => Promise<number>> = {
  list: {
    about: 'running commands, and those that ended without being stopped [--session ID]',
    options: ['session'],
    load: async () => list,
  },
  output: {
    words: ['ID'],
    about: 'prints what it has printed so far, with secrets redacted [--follow: and more, until it ends]',
    options: ['session', 'follow'],
    load: async () => output,
  },
  stop: {
    words: ['ID'],
    about: 'stops a command and all its processes [--session ID: only if it belongs to that session]',
    options: ['session'],
    load: async () => stop,
  },
};

export const processesCommand: Command = {
  usage: verbUsage(VERBS),
  about: 'Lists, shows and stops background commands, which keep running after the call that started them.',
  details: [
    ...verbDetails(VERBS),
    '',
    'ID may be shortened to six or more characters.',
    'A background command also ends with its session and with its engine.',
    'What it changed is kept at its end, unless that needs approval: then it waits for process_stop.',
    'Exit codes: 0 done, 1 there is no such command, or no engine.',
  ],
  takesWords: true,
  verbs: Object.keys(VERBS),
  options: {
    ...JSON_OPTION,
    session: { about: 'only commands of this session', value: 'ID' },
    follow: { about: 'print more as it comes', short: 'f' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { verb, words } = chooseVerb('processes', VERBS, processesCommand.options, args);
  const call = await verb.load();
  const stdout = new Output(environment.stdout, environment.env);
  using client = await connectEngine(homeOf(environment));
  const sessionId = await wholeSessionId(client, args.value('session') ?? '');
  return await call({
    client,
    id: words[0] ?? '',
    sessionId,
    stdout,
    json: args.flag('json'),
    follow: args.flag('follow'),
    onInterrupt: (listener) => environment.onInterrupt(listener),
  });
}

interface ProcessesCall {
  readonly client: EngineClient;
  /** As given; empty for a verb without arguments. */
  readonly id: string;
  /** Empty for all sessions. */
  readonly sessionId: string;
  readonly stdout: Output;
  readonly json: boolean;
  readonly follow: boolean;
  readonly onInterrupt: Environment['onInterrupt'];
}

/** Between two looks at a command that runs, milliseconds. */
const FOLLOW_MS = 300;

async function list({ client, sessionId, stdout, json }: ProcessesCall): Promise<number> {
  const { commands } = await client.call('listCommands', { sessionId });
  if (json) stdout.own(`${JSON.stringify(commands.map(commandAsJson))}\n`);
  else if (commands.length === 0) stdout.line('no background command');
  else for (const command of commands) show(command, stdout);
  return EXIT.completed;
}

async function output(call: ProcessesCall): Promise<number> {
  const { stdout, json, follow } = call;
  const stop = new AbortController();
  using _interrupts = call.onInterrupt(() => stop.abort());
  const signal = AbortSignal.any([stop.signal, stdout.gone]);
  const commandId = await wholeId(call);
  for (let offset = 0n; !signal.aborted; ) {
    const part = await partAt(call, commandId, offset);
    if (part === undefined) return EXIT.completed;
    const { text, next, size, ended } = part;
    if (json) stdout.own(`${JSON.stringify({ text, next: Number(next), ended: ended || null })}\n`);
    else stdout.content(text);
    const isMore = next > offset && next < size;
    offset = next > offset ? next : offset;
    if (isMore) continue;
    if (!follow || ended !== '') return EXIT.completed;
    await sleep(FOLLOW_MS, undefined, { signal }).catch(() => undefined);
  }
  return EXIT.cancelled;
}

/** Undefined for a command that is gone since its output was read: somebody stopped it. */
async function partAt({ client, sessionId }: ProcessesCall, commandId: string, offset: bigint) {
  try {
    return await client.call('readCommandOutput', { commandId, sessionId, offset });
  } catch (error) {
    if (offset > 0n && BulkheadError.is(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** As a shortened one was meant; what fits none stays as it is. */
async function wholeId({ client, id, sessionId }: ProcessesCall): Promise<string> {
  const { commands } = await client.call('listCommands', { sessionId });
  const ids = commands.map(({ commandId }) => commandId);
  return matchId(id, ids, 'background commands') ?? id;
}

async function stop(call: ProcessesCall): Promise<number> {
  const { client, sessionId, stdout, json } = call;
  const commandId = await wholeId(call);
  const { command: stopped } = await client.call('stopCommand', { commandId, sessionId });
  if (stopped === undefined) {
    const where = sessionId === '' ? '' : ` in session ${sessionId}`;
    throw new BulkheadError('not_found', `there is no background command ${commandId}${where}`, {
      fix: 'See `bulkhead processes`.',
    });
  }
  if (json) stdout.own(`${JSON.stringify({ stopped: commandId, remarks: stopped.remarks })}\n`);
  else stdout.line(`stopped ${stdout.safe(commandId)}`);
  if (!json) showRemarks(stopped, stdout);
  return EXIT.completed;
}

function show(command: CommandInfo, stdout: Output): void {
  const { bold, dim } = stdout.palette;
  const { commandId, ended, pid, sessionId, outputPath } = command;
  const state = ended === '' ? `runs, pid ${pid}` : `ended: ${stdout.safe(ended)}`;
  stdout.line(`${bold(stdout.safe(commandId))}  ${state}  ${stdout.safeLine(command.command)}`);
  stdout.line(`  ${dim(`session ${stdout.safe(sessionId)}, output in ${stdout.safeLine(outputPath)}`)}`);
  showRemarks(command, stdout);
}

function showRemarks({ remarks }: CommandInfo, stdout: Output): void {
  for (const remark of remarks) stdout.line(`  ${stdout.palette.yellow(stdout.safeLine(remark))}`);
}

function commandAsJson({ commandId, sessionId, command, outputPath, pid, ended, remarks }: CommandInfo) {
  const state = ended === '' ? 'running' : 'ended';
  const facts = { id: commandId, session: sessionId, command, output: outputPath, pid };
  return { ...facts, state, ended: ended || null, remarks };
}

import { connectEngine, type EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { CommandInfo } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { wholeSessionId } from '../conversation/find-session.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

export const processesCommand: Command = {
  usage: 'list | stop ID',
  about: 'Lists and stops background commands: what goes on after the call that started it.',
  details: [
    'list   those that run, and those that ended since and that nobody stopped [--session ID]',
    'stop   ends one, and all that it started [--session ID: only if it is one of that session]',
    '',
    'A background command ends with its engine and with its session, too.',
    'Exit codes: 0 done, 1 there is no such command, or no engine.',
  ],
  takesWords: true,
  options: {
    ...JSON_OPTION,
    session: { about: 'only commands of this session', value: 'ID' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [verb = 'list', ...words] = args.words;
  const stdout = new Output(environment.stdout, environment.env);
  const call = callOf(verb, words);
  using client = await connectEngine(homeOf(environment));
  const sessionId = await wholeSessionId(client, args.value('session') ?? '');
  return await call({ client, sessionId, stdout, json: args.flag('json') });
}

interface ProcessesCall {
  readonly client: EngineClient;
  /** Empty for all sessions. */
  readonly sessionId: string;
  readonly stdout: Output;
  readonly json: boolean;
}

/** @throws BulkheadError `usage` */
function callOf(verb: string, words: readonly string[]): (call: ProcessesCall) => Promise<number> {
  const [commandId] = words;
  if (verb === 'list' && commandId === undefined) return list;
  if (verb === 'stop' && commandId !== undefined && words.length === 1)
    return (call) => stop(call, commandId);
  throw new BulkheadError('usage', '`processes` takes `list`, or `stop` and the id of one command', {
    fix: 'See `bulkhead processes --help`.',
  });
}

async function list({ client, sessionId, stdout, json }: ProcessesCall): Promise<number> {
  const commands = await client.listCommands(sessionId);
  if (json) stdout.own(`${JSON.stringify(commands.map(commandAsJson))}\n`);
  else if (commands.length === 0) stdout.line('no background command');
  else for (const command of commands) show(command, stdout);
  return EXIT.completed;
}

async function stop({ client, sessionId, stdout, json }: ProcessesCall, commandId: string): Promise<number> {
  const stopped = await client.stopCommand({ commandId, sessionId });
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

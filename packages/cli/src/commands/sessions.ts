import { connectEngine, type EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { nearest } from '../arguments/nearest.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import { notBuilt, type ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { parseEvent } from '../conversation/parse-event.ts';
import { Transcript } from '../conversation/transcript.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

const DEFAULT_LIMIT = 50;
const VERBS = ['list', 'show'];
const PLANNED = ['search', 'fork', 'export', 'import', 'delete'];

export const sessionsCommand: Command = {
  usage: 'list | show ID [OPTIONS]',
  about: 'Lists the sessions, newest first, or shows one.',
  details: ['`show --json` prints the event lines of the session.'],
  takesWords: true,
  options: { ...JSON_OPTION, limit: { about: `how many to list (${DEFAULT_LIMIT})`, value: 'N' } },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [verb = 'list', id, ...more] = args.words;
  if (PLANNED.includes(verb)) throw notBuilt(`bulkhead sessions ${verb}`);
  if (!VERBS.includes(verb)) {
    const near = nearest(verb, VERBS);
    throw usage(`unknown: sessions ${verb}${near === undefined ? '' : ` (did you mean "${near}"?)`}`);
  }
  const wanted = verb === 'show' ? 1 : 0;
  if (more.length > 0 || (id === undefined ? 0 : 1) !== wanted) {
    throw usage(wanted === 1 ? '`sessions show` needs one session id' : '`sessions list` takes no id');
  }
  const limit = limitOf(args.value('limit'));
  using client = await connectEngine(homeOf(environment));
  const stdout = new Output(environment.stdout, environment.env);
  if (id === undefined) await list(client, limit, args.flag('json'), stdout);
  else await show(client, id, args.flag('json'), stdout);
  return EXIT.completed;
}

async function list(client: EngineClient, limit: number, json: boolean, stdout: Output): Promise<void> {
  const { sessions } = await client.listSessions(limit);
  if (json) {
    stdout.own(`${JSON.stringify(sessions.map(summaryAsJson))}\n`);
    return;
  }
  if (sessions.length === 0) stdout.line('no sessions yet');
  for (const session of sessions) {
    const { bold, dim } = stdout.palette;
    const title = session.title === '' ? '(no title)' : session.title.replaceAll('\n', ' ');
    stdout.line(
      `${bold(stdout.safe(session.sessionId))}  ${dim(stdout.safe(session.updatedAt))}  ${stdout.safe(title)}`,
    );
    stdout.line(`  ${dim(`${session.messages} messages in ${stdout.safe(session.workingFolder)}`)}`);
  }
}

async function show(client: EngineClient, sessionId: string, json: boolean, stdout: Output): Promise<void> {
  const transcript = new Transcript(stdout);
  for await (const line of client.watch({ sessionId, afterSeq: 0, follow: false }, stdout.gone)) {
    if (json) {
      stdout.own(`${line.json}\n`);
      continue;
    }
    const event = parseEvent(line.json);
    if (event !== undefined) transcript.show(event);
  }
}

function summaryAsJson(session: SessionSummary) {
  return {
    session: session.sessionId,
    title: session.title,
    workingFolder: session.workingFolder,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
    messages: session.messages,
  };
}

function limitOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (limit > 0) return limit;
  throw usage(`--limit is a whole number from 1, not "${value}"`);
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead sessions --help`.' });
}

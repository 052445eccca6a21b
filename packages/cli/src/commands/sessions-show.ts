import { toJson } from '@bufbuild/protobuf';
import { branchEntries, inheritedEvents } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { MessageSchema } from '@bulkhead/protocol/chat';
import type { BranchEntry } from '@bulkhead/protocol/client';
import { branchEvents, briefArguments, firstLine, parseEvent } from '@bulkhead/protocol/transcript';
import { findSession, noSession } from '../conversation/find-session.ts';
import { Transcript } from '../conversation/transcript.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { SessionsCall, SessionsVerb } from './sessions-verb.ts';

/** `sessions show ID [--entries] [--json]` */
export const showSession: SessionsVerb = async (call) => {
  const [sessionId = ''] = call.words;
  try {
    await show(call, sessionId);
  } catch (cause) {
    const bare = BulkheadError.is(cause) && cause.code === 'not_found' && cause.fix === undefined;
    throw bare ? noSession(sessionId) : cause;
  }
  return EXIT.completed;
};

function show(call: SessionsCall, sessionId: string): Promise<void> {
  if (call.args.flag('entries')) return showEntries(call, sessionId);
  return call.args.flag('json') ? showLines(call, sessionId) : showTranscript(call, sessionId);
}

async function showLines({ client, stdout }: SessionsCall, sessionId: string): Promise<void> {
  for await (const { json } of client.stream('watch', { sessionId }, stdout.gone)) stdout.own(`${json}\n`);
}

async function showTranscript({ client, stdout }: SessionsCall, sessionId: string): Promise<void> {
  const transcript = new Transcript(stdout);
  const session = await findSession(client, sessionId);
  if (session !== undefined) {
    let isImported = false;
    for await (const event of inheritedEvents(client, session, stdout.gone)) {
      transcript.show(event);
      isImported = true;
    }
    const origin = stdout.safe(`${session.originSession} at ${session.originEntry}`);
    if (session.originSession !== '') stdout.line(stdout.palette.dim(`── forked here from ${origin} ──`));
    else if (isImported) stdout.line(stdout.palette.dim('── imported up to here ──'));
  }
  for await (const { json } of client.stream('watch', { sessionId }, stdout.gone)) {
    const event = parseEvent(json);
    if (event !== undefined) transcript.show(event);
  }
}

async function showEntries({ client, args, stdout }: SessionsCall, sessionId: string): Promise<void> {
  for await (const entry of branchEntries(client, { sessionId }, stdout.gone)) {
    if (args.flag('json')) stdout.own(`${JSON.stringify(entryAsJson(entry))}\n`);
    else showEntry(entry, stdout);
  }
}

function showEntry(entry: BranchEntry, stdout: Output): void {
  const { bold, dim, yellow } = stdout.palette;
  const label = entry.label === '' ? '' : `  ${yellow(`[${stdout.safeLine(entry.label)}]`)}`;
  const head = `${bold(stdout.safe(entry.entryId))}  ${dim(stdout.safe(entry.time))}`;
  stdout.line(`${head}  ${stdout.safe(speaker(entry))}${label}`);
  for (const text of briefs(entry)) stdout.line(`  ${stdout.safe(text)}`);
}

function speaker({ type, message }: BranchEntry): string {
  switch (message?.role.case) {
    case 'user':
      return 'you';
    case 'assistant':
      return 'bulkhead';
    case 'tool':
      return message.role.value.name;
    default:
      return type;
  }
}

/** The text of an entry, one line per item. */
function briefs(entry: BranchEntry): string[] {
  const lines = branchEvents(entry).map((event) => {
    if (event.type === 'tool_call') return `▸ ${event.tool} ${briefArguments(event.arguments)}`;
    return event.type === 'message_end' || event.type === 'tool_output' ? firstLine(event.text) : '';
  });
  return [...lines, imagesOf(entry), firstLine(entry.text)].filter((line) => line !== '');
}

function imagesOf({ message }: BranchEntry): string {
  const count = message?.role.case === 'user' ? message.role.value.images.length : 0;
  return count === 0 ? '' : `(${count} ${count === 1 ? 'image' : 'images'})`;
}

function entryAsJson({ entryId, sessionId, type, time, label, text, message }: BranchEntry) {
  return {
    entry: entryId,
    session: sessionId,
    type,
    time,
    label,
    text,
    message: message === undefined ? null : toJson(MessageSchema, message),
  };
}

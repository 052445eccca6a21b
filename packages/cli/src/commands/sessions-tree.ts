import { branchEntries } from '@bulkhead/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { SessionsCall, SessionsVerb } from './sessions-verb.ts';

/** The word for the position before the first entry. */
const START = 'start';

/** `sessions fork ID [--at ENTRY]`: the id of the new session, alone on standard output. */
export const forkSession: SessionsVerb = async ({ client, words, args, stdout, stderr }) => {
  const [sessionId = ''] = words;
  const { sessionId: fork } = await client.call('forkSession', {
    sessionId,
    entryId: args.value('at') ?? '',
  });
  stdout.line(args.flag('json') ? JSON.stringify({ session: fork }) : stdout.safe(fork));
  if (stderr.isTerminal) stderr.line(`continue with: bulkhead chat --session ${stderr.safe(fork)}`);
  return EXIT.completed;
};

/** `sessions move ID ENTRY [--summary TEXT]`: prints how to return. */
export const moveSession: SessionsVerb = async (call) => {
  const { client, words, args, stdout } = call;
  const [sessionId = '', entry = ''] = words;
  const from = await leafOf(call, sessionId);
  const entryId = entry === START ? '' : entry;
  await client.call('moveLeaf', { sessionId, entryId, summary: args.value('summary') ?? '' });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ session: sessionId, entry: entryId, from })}\n`);
  } else {
    stdout.line(`moved to ${stdout.safe(entry)}`);
    if (from !== '') stdout.line(`undo with: bulkhead sessions move ${stdout.safe(`${sessionId} ${from}`)}`);
  }
  return EXIT.completed;
};

/** `sessions label ID ENTRY TEXT` */
export const labelEntry: SessionsVerb = async ({ client, words, args, stdout }) => {
  const [sessionId = '', entryId = '', label = ''] = words;
  await client.call('labelEntry', { sessionId, entryId, label });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ session: sessionId, entry: entryId, label })}\n`);
  else stdout.line(label === '' ? 'label removed' : `labelled: ${stdout.safeLine(label)}`);
  return EXIT.completed;
};

/** `sessions title ID TEXT` */
export const titleSession: SessionsVerb = async ({ client, words, args, stdout }) => {
  const [sessionId = '', title = ''] = words;
  if (title.trim() === '') throw verbUsageError('sessions', '`sessions title` needs TEXT that is not empty');
  await client.call('setTitle', { sessionId, title });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ session: sessionId, title })}\n`);
  else stdout.line(`title: ${stdout.safeLine(title)}`);
  return EXIT.completed;
};

/** The session's current entry; empty before the first. */
async function leafOf({ client }: SessionsCall, sessionId: string): Promise<string> {
  let leaf = '';
  for await (const { entryId } of branchEntries(client, { sessionId })) leaf = entryId;
  return leaf;
}

import type { SessionSummary } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import { limitOf, type SessionsVerb } from './sessions-verb.ts';

const LIMIT = 50;

/** `sessions list` */
export const listSessions: SessionsVerb = async ({ client, args, stdout }) => {
  const { sessions } = await client.call('listSessions', { limit: limitOf(args, LIMIT) });
  if (args.flag('json')) stdout.own(`${JSON.stringify(sessions.map(summaryAsJson))}\n`);
  else if (sessions.length === 0) stdout.line('no sessions yet');
  else for (const session of sessions) showSummary(session, stdout);
  return EXIT.completed;
};

function showSummary(session: SessionSummary, stdout: Output): void {
  const { bold, dim, cyan, red } = stdout.palette;
  const title = session.title === '' ? '(no title)' : stdout.safeLine(session.title);
  const mark = session.offTheRecord ? `  ${cyan('off the record')}` : '';
  stdout.line(
    `${bold(stdout.safe(session.sessionId))}  ${dim(stdout.safe(session.updatedAt))}  ${title}${mark}`,
  );
  const facts = `${session.messages} ${session.messages === 1 ? 'message' : 'messages'} in ${stdout.safeLine(session.workingFolder)}`;
  const { originSession, originEntry } = session;
  const origin =
    originSession === ''
      ? ''
      : `, shares the history of ${stdout.safe(`${originSession} up to ${originEntry}`)}`;
  stdout.line(`  ${dim(`${facts}${origin}`)}`);
  if (session.damage !== '') stdout.line(`  ${red(`damaged: ${stdout.safeLine(session.damage)}`)}`);
  if (session.loss !== '') stdout.line(`  ${red(`read-only: ${stdout.safeLine(session.loss)}`)}`);
}

function summaryAsJson(session: SessionSummary) {
  const { originSession, originEntry } = session;
  return {
    session: session.sessionId,
    title: session.title,
    workingFolder: session.workingFolder,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
    messages: session.messages,
    offTheRecord: session.offTheRecord,
    origin: originSession === '' ? null : { session: originSession, entry: originEntry },
    damage: session.damage,
    loss: session.loss,
  };
}

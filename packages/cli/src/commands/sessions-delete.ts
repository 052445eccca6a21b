import type { SessionSummary } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { confirm } from '../conversation/confirm.ts';
import { hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { SessionsCall, SessionsVerb } from './sessions-verb.ts';

/** `sessions delete ID [--with-forks] [--yes]` */
export const deleteSession: SessionsVerb = async (call) => {
  const { client, words, args, stdout, stderr } = call;
  const [sessionId = ''] = words;
  const withForks = args.flag('with-forks');
  if (!args.flag('yes') && !(await confirmed(call, sessionId, withForks))) {
    stderr.line('nothing was deleted');
    return EXIT.failed;
  }
  const { deleted } = await client.call('deleteSession', { sessionId, withForks });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ deleted })}\n`);
  else for (const id of deleted) stdout.line(`deleted ${stdout.safe(id)}`);
  return EXIT.completed;
};

async function confirmed(call: SessionsCall, sessionId: string, withForks: boolean): Promise<boolean> {
  const { client, environment, stderr } = call;
  if (!hasPerson(environment)) {
    throw verbUsageError(
      'sessions',
      'there is no terminal to ask on',
      'Add --yes to delete the session permanently.',
    );
  }
  const { sessions } = await client.call('listSessions', {});
  const family = familyOf(sessionId, sessions);
  if (family.length > 0 && !withForks) {
    const ids = family.map((fork) => fork.sessionId).join(', ');
    throw verbUsageError(
      'sessions',
      `session ${sessionId} has forks: ${ids}`,
      'Delete all of them with --with-forks.',
    );
  }
  const named = sessions.find((session) => session.sessionId === sessionId);
  for (const session of [...(named === undefined ? [] : [named]), ...family])
    stderr.line(line(session, stderr));
  const what = family.length === 0 ? 'this session' : `these ${family.length + 1} sessions`;
  return await confirm(environment, `Permanently delete ${what}?`);
}

/** All direct and indirect forks of a session, without itself. */
function familyOf(sessionId: string, sessions: readonly SessionSummary[]): SessionSummary[] {
  const forks = sessions.filter(({ originSession }) => originSession === sessionId);
  return forks.flatMap((fork) => [fork, ...familyOf(fork.sessionId, sessions)]);
}

function line(session: SessionSummary, stderr: Output): string {
  const title = session.title === '' ? '(no title)' : stderr.safeLine(session.title);
  return `  ${stderr.safe(session.sessionId)}  ${title}, ${session.messages} ${session.messages === 1 ? 'message' : 'messages'}`;
}

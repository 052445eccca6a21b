import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import { textOf } from '@bulkhead/log/session/message-view';
import type { SessionInfo, SessionStore } from '@bulkhead/sessions';
import type { IndexedSession } from './memory-index.ts';

/** Sessions that are searched, the most recent ones, and most of one, bytes of its records. */
const MOST_SESSIONS = 1_000;
const MOST_BYTES = 512 * 1024;
const PREFIX = 'sessions/';

type TextStore = Pick<SessionStore, 'getSession' | 'listSessions' | 'recentBranch'>;

/**
 * The owner's past sessions as texts: what was said in them, without tools and thoughts. Off the record there is none [S5], and
 * what programs said is not the owner's.
 */
export function sessionTexts(store: TextStore, programs: ProgramSessions): readonly IndexedSession[] {
  return store
    .listSessions(MOST_SESSIONS)
    .filter(({ offTheRecord, damage, messages }) => !offTheRecord && damage === '' && messages > 0)
    .filter(({ id }) => !programs.isOfProgram(id))
    .map(({ id, updatedAt, leaf }) => ({
      source: 'session',
      path: `${PREFIX}${id}`,
      version: `${updatedAt}-${leaf ?? ''}`,
      read: async () => readSession(store, id),
    }));
}

/** The session a path of the index stands for. */
export function sessionOf(path: string): string | undefined {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : undefined;
}

function readSession(store: TextStore, id: string): string {
  const session = store.getSession(id);
  if (session === undefined || session.offTheRecord) return '';
  const { entries } = store.recentBranch(id, session.leaf, MOST_BYTES);
  const lines = entries.flatMap(({ message }) => {
    const role = message?.role.case;
    if (message === undefined || (role !== 'user' && role !== 'assistant')) return [];
    const text = textOf(message).trim();
    return text === '' ? [] : [`${role}: ${text}`];
  });
  return `# ${titleOf(session)}\n\n${lines.join('\n\n')}\n`;
}

function titleOf({ title, createdAt }: SessionInfo): string {
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return title === '' ? day : `${day} ${title.replaceAll(/\s+/gu, ' ')}`;
}

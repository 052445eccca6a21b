import type { SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** Sessions, most recently used first. */
export type Summaries = readonly SessionSummary[];

/** Events of working sessions only: an unknown session is loaded. */
const OF_A_RUN: ReadonlySet<SessionEvent['type']> = new Set(['agent_start', 'settled', 'session_title']);

/**
 * Updates a list after an event of one of its sessions, from the event alone.
 *
 * @returns the same list if nothing changes, and undefined for an unlisted session
 */
export function summariesAfter(list: Summaries, event: SessionEvent): Summaries | undefined {
  const change = changeBy(event);
  if (change === undefined) return list;
  const session = list.find(({ sessionId }) => sessionId === event.session);
  if (session === undefined) return OF_A_RUN.has(event.type) ? undefined : list;
  // Then it was read after this event.
  if (event.time < session.updatedAt) return list;
  const changed = { ...session, ...change(session), updatedAt: event.time };
  return newestFirst([changed, ...list.filter((one) => one !== session)]);
}

/**
 * Merges the newest sessions into a list. A known session missing among them has been deleted.
 *
 * @param asked the requested number of newest sessions: fewer results are all sessions
 */
export function withNewest(known: Summaries, read: Summaries, asked: number): Summaries {
  const oldest = read.length < asked ? undefined : newestFirst(read).at(-1)?.updatedAt;
  const knownById = new Map(known.map((session) => [session.sessionId, session]));
  const ids = new Set(read.map(({ sessionId }) => sessionId));
  const older = known.filter(
    ({ sessionId, updatedAt }) => oldest !== undefined && updatedAt <= oldest && !ids.has(sessionId),
  );
  return newestFirst([
    ...read.map((session) => newerOf(knownById.get(session.sessionId), session)),
    ...older,
  ]);
}

/** Events that arrived during the request are newer. */
function newerOf(known: SessionSummary | undefined, read: SessionSummary): SessionSummary {
  return known !== undefined && known.updatedAt > read.updatedAt ? known : read;
}

function changeBy(event: SessionEvent): ((session: SessionSummary) => Partial<SessionSummary>) | undefined {
  switch (event.type) {
    case 'agent_start':
    case 'settled':
      return () => ({});
    case 'session_title':
      return () => ({ title: event.title });
    case 'message_end':
      // A failed attempt is not an entry.
      return event.stopReason === 'error' ? undefined : ({ messages }) => ({ messages: messages + 1 });
    default:
      return undefined;
  }
}

function newestFirst(list: Summaries): Summaries {
  return list.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
}

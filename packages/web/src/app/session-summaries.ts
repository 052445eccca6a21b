import type { SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** Sessions, the last used first. */
export type Summaries = readonly SessionSummary[];

/** Events that only a session at work has: one that is not known is asked for. */
const OF_A_RUN: ReadonlySet<SessionEvent['type']> = new Set(['agent_start', 'settled', 'session_title']);

/**
 * What a list says after an event of one of its sessions. What the event itself tells is not asked for.
 *
 * @returns the same list if the event changes nothing of it, and undefined if it is of a session that is not there
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
 * A list with the newest sessions as they were read. A known one that should be among them and is not has been deleted.
 *
 * @param asked how many of the newest were asked for: fewer are all there are
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

/** Events that came while the list was on its way know better. */
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
      // An attempt that failed is no entry.
      return event.stopReason === 'error' ? undefined : ({ messages }) => ({ messages: messages + 1 });
    default:
      return undefined;
  }
}

function newestFirst(list: Summaries): Summaries {
  return list.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
}

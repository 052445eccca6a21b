import { create } from '@bufbuild/protobuf';
import { describeLoss, readLoss } from '@bulkhead/log/agreement/loss';
import { matchId } from '@bulkhead/protocol';
import { type SessionSummary, SessionSummarySchema } from '@bulkhead/protocol/client';
import { noSession } from '@bulkhead/runtime/session/sessions';
import type { SessionInfo, SessionStore } from '@bulkhead/sessions';

/** A session as clients see it in a list. */
export function sessionSummary(session: SessionInfo): SessionSummary {
  return create(SessionSummarySchema, {
    sessionId: session.id,
    title: session.title,
    workingFolder: session.workingFolder,
    createdAt: new Date(session.createdAt).toISOString(),
    updatedAt: new Date(session.updatedAt).toISOString(),
    messages: session.messages,
    offTheRecord: session.offTheRecord,
    originSession: session.origin?.session ?? '',
    originEntry: session.origin?.entry ?? '',
    damage: session.damage,
    loss: session.loss === undefined ? '' : describeLoss(session.id, readLoss(session.loss)),
  });
}

/**
 * Finds one session among all, including damaged ones.
 *
 * @param given its id, or at least six characters of its beginning or end
 * @throws BulkheadError `not_found`; `usage` if several sessions match
 */
export function findSession(
  store: Pick<SessionStore, 'getSession' | 'listSessions' | 'countSessions'>,
  given: string,
): SessionInfo {
  const whole = store.getSession(given);
  if (whole !== undefined) return whole;
  const ids = store.listSessions(store.countSessions()).map(({ id }) => id);
  const found = store.getSession(matchId(given, ids, 'sessions') ?? given);
  if (found === undefined) throw noSession(given);
  return found;
}

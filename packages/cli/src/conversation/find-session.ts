import type { EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** @returns undefined if the engine lists no such session */
export async function findSession(
  client: EngineClient,
  sessionId: string,
  signal?: AbortSignal,
): Promise<SessionSummary | undefined> {
  const { sessions } = await client.listSessions(0, signal);
  return sessions.find((session) => session.sessionId === sessionId);
}

/**
 * Nobody must believe to be off the record, or on it, who isn't.
 *
 * @param known undefined for a session that isn't listed: the engine has the last word on it, save off the record
 * @throws BulkheadError `usage` for a session of the other kind; `not_found`
 */
export function refuseOtherRecord(
  sessionId: string,
  known: SessionSummary | undefined,
  offTheRecord: boolean,
): void {
  if (known === undefined && !offTheRecord) return;
  if (known === undefined) throw new BulkheadError('not_found', `there is no session ${sessionId}`);
  if (known.offTheRecord === offTheRecord) return;
  throw known.offTheRecord
    ? new BulkheadError('usage', `session ${sessionId} is off the record`, { fix: 'Say so with --otr.' })
    : new BulkheadError('usage', `session ${sessionId} is on the record: --otr is for new sessions`, {
        fix: 'Leave --otr away, or start a new session with it.',
      });
}

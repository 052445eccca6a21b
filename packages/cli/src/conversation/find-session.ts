import { type EngineClient, readSession } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** Characters of a whole id. */
const WHOLE = 26;

/**
 * @param given a session's id, or at least six characters of its beginning or its end
 * @returns undefined if there is none
 * @throws BulkheadError `usage` if several sessions match
 */
export async function findSession(
  client: EngineClient,
  given: string,
  signal?: AbortSignal,
): Promise<SessionSummary | undefined> {
  try {
    return await readSession(client, given, signal);
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_found') return undefined;
    throw cause;
  }
}

/**
 * Completes an id; an unknown one is kept, because the engine decides.
 * @throws BulkheadError `usage` if several sessions match
 */
export async function wholeSessionId(client: EngineClient, given: string): Promise<string> {
  if (given === '' || given.length >= WHOLE) return given;
  return (await findSession(client, given))?.sessionId ?? given;
}

/** The error for an unknown session. */
export function noSession(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `there is no session ${sessionId}`, {
    fix: 'See `bulkhead sessions list`.',
  });
}

/**
 * Checks that a session is on or off the record as the person believes.
 *
 * @param known undefined for an unknown session: the engine decides, except off the record
 * @throws BulkheadError `usage` for a session of the other kind; `not_found`
 */
export function refuseOtherRecord(
  sessionId: string,
  known: SessionSummary | undefined,
  offTheRecord: boolean,
): void {
  if (known === undefined && !offTheRecord) return;
  if (known === undefined) throw noSession(sessionId);
  if (known.offTheRecord === offTheRecord) return;
  throw known.offTheRecord
    ? new BulkheadError('usage', `session ${sessionId} is off the record`, { fix: 'Add --otr.' })
    : new BulkheadError('usage', `session ${sessionId} is on the record: --otr is for new sessions`, {
        fix: 'Leave out --otr, or start a new session with it.',
      });
}

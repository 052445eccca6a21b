import { type EngineClient, readSession } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** Characters of a whole id. */
const WHOLE = 26;

/**
 * @param given a session's id, or at least six characters of its beginning or its end
 * @returns undefined if there is none
 * @throws BulkheadError `usage` if several sessions could be meant
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
 * The whole id for one that may be unfinished; an unknown one as it is: the engine has the last word on it.
 * @throws BulkheadError `usage` if several sessions could be meant
 */
export async function wholeSessionId(client: EngineClient, given: string): Promise<string> {
  if (given === '' || given.length >= WHOLE) return given;
  return (await findSession(client, given))?.sessionId ?? given;
}

/** For a session that is not there. */
export function noSession(sessionId: string): BulkheadError {
  return new BulkheadError('not_found', `there is no session ${sessionId}`, {
    fix: 'See `bulkhead sessions list`.',
  });
}

/**
 * Nobody must believe to be off the record, or on it, who isn't.
 *
 * @param known undefined for a session that isn't there: the engine has the last word on it, save off the record
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
    ? new BulkheadError('usage', `session ${sessionId} is off the record`, { fix: 'Say so with --otr.' })
    : new BulkheadError('usage', `session ${sessionId} is on the record: --otr is for new sessions`, {
        fix: 'Leave --otr away, or start a new session with it.',
      });
}

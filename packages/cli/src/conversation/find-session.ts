import type { EngineClient } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';

/** Characters of an id from which on it may be left unfinished. */
const MIN_PREFIX = 6;
/** Characters of a whole id. */
const WHOLE = 26;
/** How many ids an error names. */
const NAMED = 5;

/**
 * @param given a session's id, or at least six characters of its beginning
 * @returns undefined if the engine lists no such session
 * @throws BulkheadError `usage` if several sessions begin so
 */
export async function findSession(
  client: EngineClient,
  given: string,
  signal?: AbortSignal,
): Promise<SessionSummary | undefined> {
  const { sessions } = await client.listSessions(0, signal);
  return matchSession(given, sessions);
}

/**
 * The whole id for one that may be unfinished; an unknown one as it is: the engine has the last word on it.
 * @throws BulkheadError `usage` if several sessions begin so
 */
export async function wholeSessionId(client: EngineClient, given: string): Promise<string> {
  if (given.length < MIN_PREFIX || given.length >= WHOLE) return given;
  return (await findSession(client, given))?.sessionId ?? given;
}

/** As `findSession`, of the sessions given. */
export function matchSession(given: string, sessions: readonly SessionSummary[]): SessionSummary | undefined {
  const exact = sessions.find(({ sessionId }) => sessionId === given);
  if (exact !== undefined || given.length < MIN_PREFIX) return exact;
  const matches = sessions.filter(({ sessionId }) => sessionId.startsWith(given));
  if (matches.length <= 1) return matches[0];
  const named = matches.slice(0, NAMED).map(({ sessionId }) => sessionId);
  const more = matches.length > NAMED ? ` and ${matches.length - NAMED} more` : '';
  throw new BulkheadError(
    'usage',
    `${matches.length} sessions begin with ${given}: ${named.join(', ')}${more}`,
    {
      fix: 'Give more of the id.',
    },
  );
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
 * @param known undefined for a session that isn't listed: the engine has the last word on it, save off the record
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

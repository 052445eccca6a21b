import { BulkheadError } from '@bulkhead/protocol';
import type { BranchEntry, SessionSummary } from '@bulkhead/protocol/client';
import type { EngineClient, InputOf } from './engine-client.ts';

/**
 * Returns an existing session.
 *
 * @param given its id, or at least six characters of its beginning or end
 * @throws BulkheadError `not_found`; `usage` if several sessions match
 */
export async function readSession(
  client: Pick<EngineClient, 'call'>,
  given: string,
  signal?: AbortSignal,
): Promise<SessionSummary> {
  const { session } = await client.call('readSession', { sessionId: given }, signal);
  if (session !== undefined) return session;
  throw new BulkheadError('protocol_violation', 'the engine found a session and did not say which');
}

/**
 * The entries of a branch one by one, from its root. A fork's branch begins with the entries of its
 * origin.
 */
export async function* branchEntries(
  client: Pick<EngineClient, 'stream'>,
  request: InputOf<'readBranch'>,
  signal?: AbortSignal,
): AsyncGenerator<BranchEntry> {
  for await (const { entries } of client.stream('readBranch', request, signal)) yield* entries;
}

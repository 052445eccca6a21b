import type { SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { branchEvents } from '@bulkhead/protocol/transcript';
import type { EngineClient } from './engine-client.ts';
import { branchEntries } from './session-reads.ts';

/**
 * Events before a session's own log: the part a fork shares with its origin, or the imported part;
 * empty for any other session.
 */
export async function* inheritedEvents(
  client: Pick<EngineClient, 'stream'>,
  { sessionId, originSession, originEntry }: SessionSummary,
  signal?: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const request = { sessionId, entryId: originEntry, imported: originSession === '' };
  for await (const entry of branchEntries(client, request, signal)) yield* branchEvents(entry);
}

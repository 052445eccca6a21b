import type { SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { branchEvents } from '@bulkhead/protocol/transcript';
import type { EngineClient } from './engine-client.ts';
import { branchEntries } from './session-reads.ts';

/**
 * What a session's own events do not tell of, as events: what a fork shares with the session it was forked from, or what a session was
 * imported with; nothing for any other.
 */
export async function* inheritedEvents(
  client: Pick<EngineClient, 'stream'>,
  { sessionId, originSession, originEntry }: SessionSummary,
  signal?: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const request = { sessionId, entryId: originEntry, imported: originSession === '' };
  for await (const entry of branchEntries(client, request, signal)) yield* branchEvents(entry);
}

import type { SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import { branchEvents } from '@bulkhead/protocol/transcript';
import type { EngineClient } from './engine-client.ts';

/** What a fork shares with the session it was forked from, as events; nothing for a session of its own. */
export async function* inheritedEvents(
  client: EngineClient,
  { sessionId, originSession, originEntry }: SessionSummary,
  signal?: AbortSignal,
): AsyncGenerator<SessionEvent> {
  if (originSession === '') return;
  for await (const entry of client.readBranch({ sessionId, entryId: originEntry }, signal)) {
    yield* branchEvents(entry);
  }
}

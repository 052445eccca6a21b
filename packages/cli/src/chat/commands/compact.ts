import type { EngineClient } from '@bulkhead/client';
import type { CompactSessionResponse } from '@bulkhead/protocol/client';

/**
 * The result of a compaction for the person who requested it, one fact per line. @param focus
 * topics to keep
 */
export function compactionLines(
  sessionId: string,
  { afterwards, entryId, undoEntryId, byRule, focusUsed }: CompactSessionResponse,
  focus = '',
): readonly string[] {
  if (afterwards) return ['a run is in progress: the conversation is compacted after it'];
  if (entryId === '') return ['nothing to compact: the conversation is already short'];
  const what = byRule
    ? 'no model could summarize: the model sees a list of the older part made by rules (your requests, files, open tasks); the log keeps all of it'
    : 'conversation compacted: its beginning is now a summary';
  const back = undoEntryId === '' ? 'start' : undoEntryId;
  const unused = focus === '' || focusUsed ? [] : [`"${focus}" was not used: no model wrote the summary`];
  return [what, ...unused, `undo with: bulkhead sessions move ${sessionId} ${back}`];
}

/**
 * `/compact [FOCUS]`: its outcome, unless the session's own events show it in the chat.
 *
 * @param focus topics to keep; may be empty
 * @returns lines for the person, not yet made safe
 */
export async function compactChat(
  client: EngineClient,
  sessionId: string,
  focus: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const response = await client.call('compactSession', { sessionId, focus }, signal);
  const lines = compactionLines(sessionId, response, focus);
  return response.entryId === '' ? lines : lines.slice(1);
}

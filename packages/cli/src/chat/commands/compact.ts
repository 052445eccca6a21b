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
  if (afterwards) return ['a run goes on: the conversation is made shorter once it has ended'];
  if (entryId === '') return ['there is nothing to gain: the conversation is as short as it gets'];
  const what = byRule
    ? 'no model gave a summary: of the older part the model sees what rules could list (what you asked, files, open tasks); the log keeps all of it'
    : 'the conversation is shorter now: its beginning is a summary';
  const back = undoEntryId === '' ? 'start' : undoEntryId;
  const unused =
    focus === '' || focusUsed
      ? []
      : [`"${focus}" had no say in it: no model that was told it wrote a summary`];
  return [what, ...unused, `back with: bulkhead sessions move ${sessionId} ${back}`];
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

import { OpenActions } from '@bulkhead/log/agreement/open-actions';
import type { SessionStore } from '@bulkhead/sessions';

/** How far back doubts are looked for, in records: some hundred turns. */
const RECENT = 4_000;

/**
 * Actions of a session that may have taken effect, by their likenesses, as its log has them: doubts outlive the run and the
 * engine they came up in [T8].
 */
export function openDoubts(store: SessionStore, sessionId: string): Set<string> {
  const actions = new OpenActions();
  const last = store.lastPos(sessionId);
  for (const record of store.records(sessionId, { pos: Math.max(0, last - RECENT) })) actions.read(record);
  return new Set(actions.doubtful);
}

import type { SessionStore } from '@bulkhead/sessions';
import { OpenActions } from './open-actions.ts';

/** Actions without an end, of the messages that have none: what became of them is yet to be found out. */
export function openActionIds(store: Pick<SessionStore, 'openInputs' | 'records'>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { sessionId, pos } of store.openInputs()) {
    const actions = new OpenActions();
    try {
      for (const record of store.records(sessionId, { pos })) actions.read(record);
    } catch {
      // A damaged session is not taken up: nobody will ask about its actions.
    }
    for (const { action } of actions.open) ids.add(action);
  }
  return ids;
}

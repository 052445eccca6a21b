import type { SessionStore } from '@bulkhead/sessions';
import { OpenActions } from './open-actions.ts';

/** Where an open action lies. */
export interface OpenPlace {
  readonly sessionId: string;
  /** Of its intent; absent without one. */
  readonly intentPos?: number;
}

/** Actions without an end, of the messages that have none: what became of them is yet to be found out. */
export function openActions(
  store: Pick<SessionStore, 'openInputs' | 'records'>,
): ReadonlyMap<string, OpenPlace> {
  const places = new Map<string, OpenPlace>();
  for (const { sessionId, pos } of store.openInputs()) {
    const actions = new OpenActions();
    try {
      for (const record of store.records(sessionId, { pos })) actions.read(record);
    } catch {
      // A damaged session is not taken up: nobody will ask about its actions.
    }
    for (const { action, intent } of actions.open)
      places.set(action, { sessionId, ...(intent === undefined ? {} : { intentPos: intent.pos }) });
  }
  return places;
}

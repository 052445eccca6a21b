import type { EventLine } from '../events/event-view.ts';

/** Whoever sent a message, as the engine sees them: somebody to tell what happens [T1]. */
export interface Sender {
  /** Each event of the session from the message on, in order, up to the message's `settled`. Must not throw. */
  sendEvent(event: EventLine): void;
}

/** A sender that watches the session by other means, or not at all. */
export const SILENT_SENDER: Sender = { sendEvent: () => {} };

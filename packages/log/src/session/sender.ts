import type { EventLine } from '../events/event-view.ts';

/** The sender of a message, as the engine sees it: it receives the events that follow [T1]. */
export interface Sender {
  /** Each event of the session from the message on, in order, up to the message's `settled`. Must not throw. */
  sendEvent(event: EventLine): void;
}

/** A sender that watches the session by other means, or not at all. */
export const SILENT_SENDER: Sender = { sendEvent: () => {} };

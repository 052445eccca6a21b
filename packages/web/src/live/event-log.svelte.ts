import type { SessionEvent } from '@bulkhead/protocol';

const MOST = 500;

/** Recent events of all sessions since the page was opened. */
export class EventLog {
  #events: readonly SessionEvent[] = $state.raw([]);

  /** Newest first. */
  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  add(event: SessionEvent): void {
    this.#events = [event, ...this.#events].slice(0, MOST);
  }
}

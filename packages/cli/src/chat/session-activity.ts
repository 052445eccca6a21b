import type { SessionEvent } from '@bulkhead/protocol';

/**
 * Tracks whether a session works or is about to, from its events and from unfinished messages of
 * this client.
 */
export class SessionActivity {
  readonly #unsettled = new Set<string>();
  #running: string | undefined;
  #waiting: readonly string[] = [];

  get busy(): boolean {
    return this.#running !== undefined || this.#unsettled.size > 0 || this.#waiting.length > 0;
  }

  /** Ids of the messages that wait to join a run or to get their own. */
  get waiting(): readonly string[] {
    return this.#waiting;
  }

  /** A message has been sent to the engine. */
  sent(messageId: string): void {
    this.#unsettled.add(messageId);
  }

  /** Sending it failed. */
  notSent(messageId: string): void {
    this.#unsettled.delete(messageId);
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'agent_start':
      case 'run_resumed':
        this.#running = event.message;
        this.#taken(event.message);
        break;
      case 'message_end':
        if (event.input !== undefined) this.#taken(event.input);
        break;
      case 'queue_update':
        this.#waiting = [...event.steer, ...event.followUp];
        break;
      case 'settled':
        this.#taken(event.message);
        this.#unsettled.delete(event.message);
        if (event.message === this.#running) this.#running = undefined;
        break;
      case 'idle':
        this.#running = undefined;
        this.#waiting = [];
        break;
      default:
    }
  }

  #taken(messageId: string): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== messageId);
  }
}

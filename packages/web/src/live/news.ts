import type { SessionEvent } from '@bulkhead/protocol';
import type { Watcher } from './live-stream.svelte.ts';

/** Live events of all sessions, for any listener. */
export class News implements Watcher {
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #onMissed: () => void;

  /** @param onMissed called whenever events were missed, or may have been */
  constructor(onMissed: () => void) {
    this.#onMissed = onMissed;
  }

  /** Durable events only. @returns a function that ends the listening */
  listen(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  after(): number {
    return 0;
  }

  take(events: readonly SessionEvent[]): void {
    if (events.some(({ type }) => type === 'gap')) this.#onMissed();
    for (const event of events) {
      if (event.ephemeral !== true) for (const listener of this.#listeners) listener(event);
    }
  }

  /** The new connection begins with a `gap`, which reports the same. */
  missed(): void {}
}

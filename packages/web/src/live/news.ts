import type { SessionEvent } from '@bulkhead/protocol';
import type { Watcher } from './live-stream.svelte.ts';

/** What happens in all sessions, as it happens: told to whoever listens. */
export class News implements Watcher {
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #onMissed: () => void;

  /** @param onMissed called whenever some of it was, or may have been, missed */
  constructor(onMissed: () => void) {
    this.#onMissed = onMissed;
  }

  /** Durable events only. @returns what ends the listening */
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

  /** The new connection begins with a `gap`, which tells the same. */
  missed(): void {}
}

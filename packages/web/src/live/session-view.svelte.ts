import type { SessionEvent } from '@bulkhead/protocol';
import { emptyTranscript, foldEvent, missedSome, type TranscriptView } from '@bulkhead/protocol/transcript';
import type { LiveStream, Watcher } from './live-stream.svelte.ts';

/** One session as a page shows it, computed from all its events. */
export class SessionView implements Watcher, Disposable {
  readonly id: string;
  readonly #end: () => void;
  /** Never changed, only replaced, so that differences are redrawn. */
  #transcript: TranscriptView = $state.raw(emptyTranscript());
  #heard = $state(false);
  #reshaped = 0;

  /**
   * @param stream connected or not
   * @param shared the part a fork shares with its origin, as events with `seq` 0
   */
  constructor(id: string, stream: LiveStream, shared: readonly SessionEvent[] = []) {
    this.id = id;
    this.#transcript = shared.reduce(foldEvent, this.#transcript);
    this.#end = stream.watch(id, this);
  }

  get transcript(): TranscriptView {
    return this.#transcript;
  }

  /** False until the first event arrives. */
  get heard(): boolean {
    return this.#heard;
  }

  /** Number of moves and labels: each invalidates the branch read before. */
  get reshaped(): number {
    return this.#reshaped;
  }

  after(): number {
    return this.#transcript.seq;
  }

  take(events: readonly SessionEvent[]): void {
    this.#heard = true;
    this.#reshaped += events.filter(({ type }) => type === 'leaf_moved' || type === 'label').length;
    this.#transcript = events.reduce(foldEvent, this.#transcript);
  }

  missed(): void {
    this.#transcript = missedSome(this.#transcript);
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}

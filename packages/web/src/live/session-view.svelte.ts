import type { SessionEvent } from '@bulkhead/protocol';
import { emptyTranscript, foldEvent, missedSome, type TranscriptView } from '@bulkhead/protocol/transcript';
import type { LiveStream, Watcher } from './live-stream.svelte.ts';

/** One session as a page shows it: all of its events, folded. */
export class SessionView implements Watcher, Disposable {
  readonly id: string;
  readonly #end: () => void;
  /** Never changed, only succeeded: what is drawn from it is drawn again where it differs. */
  #transcript: TranscriptView = $state.raw(emptyTranscript());
  #heard = $state(false);
  #reshaped = 0;

  /**
   * @param stream connected or not
   * @param shared what a fork shares with the session it was forked from, as events with `seq` 0
   */
  constructor(id: string, stream: LiveStream, shared: readonly SessionEvent[] = []) {
    this.id = id;
    this.#transcript = shared.reduce(foldEvent, this.#transcript);
    this.#end = stream.watch(id, this);
  }

  get transcript(): TranscriptView {
    return this.#transcript;
  }

  /** False until the first event came. */
  get heard(): boolean {
    return this.#heard;
  }

  /** How often the conversation was moved, or an entry named: what was read of its branch before does not hold. */
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

import type { Timers } from '@bulkhead/protocol';

type Kind = 'text' | 'thinking';

/** Text is held back for this long, in milliseconds: no one can read faster. */
const HOLD_MS = 8;
/** Text that waits no longer for more, in characters: a burst must reach its reader as a stream. */
const EAGER = 4_096;

/**
 * Passes an answer on to clients as it streams. The first words go at once; what comes within a moment after that goes
 * out together: an event for every word costs more than the words.
 */
export class AnswerRelay implements Disposable {
  readonly #timers: Timers;
  readonly #publish: (kind: Kind, text: string) => void;
  #kind: Kind = 'text';
  #text = '';
  #hold: Disposable | undefined;

  constructor(timers: Timers, publish: (kind: Kind, text: string) => void) {
    this.#timers = timers;
    this.#publish = publish;
  }

  push(kind: Kind, text: string): void {
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#text += text;
    if (this.#hold === undefined || this.#text.length >= EAGER) this.flush();
  }

  /** Publishes what waits. */
  flush(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#hold ??= this.#timers.after(HOLD_MS, () => {
      this.#hold = undefined;
      this.flush();
    });
    this.#publish(this.#kind, text);
  }

  /** Drops what waits. */
  [Symbol.dispose](): void {
    this.#text = '';
    this.#hold?.[Symbol.dispose]();
    this.#hold = undefined;
  }
}

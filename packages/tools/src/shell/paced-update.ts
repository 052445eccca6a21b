import type { ToolUpdate } from '@bulkhead/protocol';

const PACE_MS = 50;
/** Size limit of one update; a reader needs the end of a flood, not all of it. */
const MAX_PENDING = 8_192;

/**
 * Passes text on immediately after a quiet time, else joined every 50 ms. Sends nothing after it is
 * disposed.
 */
export class PacedUpdate implements Disposable {
  readonly #update: ToolUpdate;
  #pending = '';
  #skipped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(update: ToolUpdate) {
    this.#update = update;
  }

  add(text: string): void {
    if (text === '') return;
    this.#pending += text;
    if (this.#pending.length > MAX_PENDING) {
      this.#pending = this.#pending.slice(-MAX_PENDING).toWellFormed();
      this.#skipped = true;
    }
    if (this.#timer !== undefined) return;
    this.#send();
    this.#timer = setTimeout(() => this.#tick(), PACE_MS);
  }

  /** Sends the waiting text and stops. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send();
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#pending === '') return;
    this.#send();
    this.#timer = setTimeout(() => this.#tick(), PACE_MS);
  }

  #send(): void {
    if (this.#pending === '') return;
    const text = this.#skipped ? `\n[some output is not shown live]\n${this.#pending}` : this.#pending;
    this.#pending = '';
    this.#skipped = false;
    this.#update(text);
  }
}

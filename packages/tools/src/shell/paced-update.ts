import type { ToolUpdate } from '@bulkhead/protocol';

const PACE_MS = 50;
/** What one update carries at most; people read the end of a flood, not all of it. */
const MAX_PENDING = 8_192;

/** Passes text on at once if it has been quiet, else joined, every 50 ms. Nothing comes after it is disposed. */
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

  /** Sends what is waiting and ends the pace. */
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

/**
 * Starts processes a few at a time. Starting one blocks the thread for some milliseconds, so each
 * begins in its own turn of the event loop: many sessions that begin at once delay no other work
 * [FG10].
 */
export class StartGate {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #starting = 0;

  /** @param width how many may be starting at once */
  constructor(width: number) {
    this.#width = width;
  }

  /** Calls `start` in its turn, first come, first served. @returns its result */
  async run<T>(start: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return await start();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#starting < this.#width) {
      this.#starting += 1;
      return;
    }
    // A finished start passes its place on: no later caller can take it.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#starting -= 1;
    else next();
  }
}

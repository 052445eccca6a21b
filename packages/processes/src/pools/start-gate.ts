/**
 * Starts processes a few at a time. Starting one keeps the thread busy for some milliseconds, so each begins in a
 * turn of the event loop of its own: many sessions that begin at once hold up nobody else [FG10].
 */
export class StartGate {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #starting = 0;

  /** @param width how many may be starting at once */
  constructor(width: number) {
    this.#width = width;
  }

  /** Calls `start` when it is its turn, first come, first served. @returns what it gives */
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
    // Whoever leaves hands its place on: nobody who comes later takes it.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#starting -= 1;
    else next();
  }
}

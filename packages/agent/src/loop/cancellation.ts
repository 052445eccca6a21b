/** Thrown by `Cancellation.wait` once the signal fired; never leaves the loop. */
export class Cancelled extends Error {}

/**
 * Makes every wait of a run end when its signal fires, even if the awaited party ignores the
 * signal. One listener for the whole run: racing each wait against one long-lived promise would
 * keep a reaction per wait alive until the run's end.
 */
export class Cancellation implements Disposable {
  readonly #signal: AbortSignal;
  readonly #waiting = new Set<() => void>();
  readonly #fire = (): void => {
    for (const reject of this.#waiting) reject();
    this.#waiting.clear();
  };

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#fire, { once: true });
  }

  /** @throws Cancelled */
  check(): void {
    if (this.#signal.aborted) throw new Cancelled();
  }

  /**
   * @returns the value of `promise`
   * @throws Cancelled once the signal fires; otherwise the rejection of `promise`
   */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const cancel = (): void => reject(new Cancelled());
      const settle = (done: () => void): void => {
        this.#waiting.delete(cancel);
        done();
      };
      if (this.#signal.aborted) cancel();
      else this.#waiting.add(cancel);
      promise.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#fire);
  }
}

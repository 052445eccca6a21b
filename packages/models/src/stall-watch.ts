import type { ModelTimeLimits } from './model-settings.ts';

export type StallPhase = 'first-token' | 'idle';

/**
 * Watches a stream for silence [E6]. Only time spent waiting for the provider counts: a slow reader
 * is not a stall. One timer for the whole stream, moved lazily, because this runs per delta.
 */
export class StallWatch implements Disposable {
  readonly #limits: ModelTimeLimits;
  readonly #onStall: (phase: StallPhase) => void;
  #phase: StallPhase = 'first-token';
  #waiting = true;
  #since = performance.now();
  #timer: NodeJS.Timeout;

  /** Starts at once, waiting for the first token. */
  constructor(limits: ModelTimeLimits, onStall: (phase: StallPhase) => void) {
    this.#limits = limits;
    this.#onStall = onStall;
    this.#timer = setTimeout(() => this.#check(), limits.firstTokenMs);
  }

  /** The answer has started: from now on the idle limit applies. */
  begun(): void {
    if (this.#phase === 'idle') return;
    this.#phase = 'idle';
    this.#arm(this.#limits.idleMs);
  }

  /** The reader waits for the next part. */
  waiting(): void {
    this.#waiting = true;
    if (this.#phase === 'idle') this.#since = performance.now();
  }

  /** The reader is busy with a part. */
  busy(): void {
    this.#waiting = false;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const limit = this.#phase === 'idle' ? this.#limits.idleMs : this.#limits.firstTokenMs;
    const left = this.#waiting ? this.#since + limit - performance.now() : limit;
    if (left <= 1) this.#onStall(this.#phase);
    else this.#arm(left);
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), milliseconds);
  }
}

import { BulkheadError } from '@bulkhead/protocol';

/**
 * Work a run has started and not finished. The first failure is kept and is the run's; whoever waits for the
 * agent is told by `onFailure`.
 */
export class RunTasks {
  readonly #open = new Set<Promise<void>>();
  readonly #onFailure: () => void;
  #failure: BulkheadError | undefined;

  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  get failure(): BulkheadError | undefined {
    return this.#failure;
  }

  /** How many are under way. */
  get count(): number {
    return this.#open.size;
  }

  start(work: Promise<void>): void {
    const task = work.catch((error: unknown) => this.fail(error));
    this.#open.add(task);
    void task.finally(() => this.#open.delete(task));
  }

  fail(error: unknown): void {
    this.#failure ??= BulkheadError.from(error);
    this.#onFailure();
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }
}

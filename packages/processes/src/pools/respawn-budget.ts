const LIMIT = 5;
const WINDOW_MS = 60_000;

/**
 * Limits restarts: at most 5 in any 60 s (P8). A process that always dies immediately must not keep
 * the machine busy.
 */
export class RespawnBudget {
  #spent: number[] = [];

  /**
   * @param now monotonic milliseconds
   * @returns false if the budget is used up: don't start again
   */
  spend(now: number): boolean {
    this.#spent = this.#spent.filter((time) => now - time < WINDOW_MS);
    if (this.#spent.length >= LIMIT) return false;
    this.#spent.push(now);
    return true;
  }
}

/**
 * How often something may be started again: at most `limit` times in any `windowMs` (P8: 5 in 60 s). A
 * process that dies at once every time must not keep the machine busy.
 */
export class RespawnBudget {
  readonly #limit: number;
  readonly #windowMs: number;
  #spent: number[] = [];

  constructor(limit = 5, windowMs = 60_000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /**
   * @param now monotonic milliseconds
   * @returns false if the budget is used up: don't start again
   */
  spend(now: number): boolean {
    this.#spent = this.#spent.filter((time) => now - time < this.#windowMs);
    if (this.#spent.length >= this.#limit) return false;
    this.#spent.push(now);
    return true;
  }
}

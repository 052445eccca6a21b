/** So many are shown: what comes after them is in the log. */
const MOST = 16;

/** Problems of memory for a person: logged once, and shown by `status` while the engine lives. */
export class MemoryNotices {
  readonly #told = new Set<string>();
  readonly #log: (notice: string) => void;

  constructor(log: (notice: string) => void) {
    this.#log = log;
  }

  tell(notice: string): void {
    if (this.#told.has(notice)) return;
    if (this.#told.size < MOST) this.#told.add(notice);
    this.#log(notice);
  }

  get all(): readonly string[] {
    return [...this.#told];
  }
}

/** So many are shown: what comes after them is in the log. */
const MOST = 16;

/** What a person should know of memory: told to the log once, and shown by `status` for as long as the engine lives. */
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

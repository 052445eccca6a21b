/** The events of a simulation, in order: all of them, or the last ones. */
export class Trace {
  readonly #limit: number;
  #lines: string[] = [];
  #count = 0;
  #digest = 0x811c9dc5;

  /** @param limit minimum number of last lines to keep */
  constructor(limit: number) {
    this.#limit = limit;
  }

  note(line: string): void {
    this.#count += 1;
    for (let at = 0; at < line.length; at += 1) {
      this.#digest = Math.imul(this.#digest ^ line.charCodeAt(at), 0x01000193);
    }
    this.#lines.push(line);
    if (this.#lines.length > 2 * this.#limit) this.#lines = this.#lines.slice(-this.#limit);
  }

  /** Hash of all lines: two runs of one seed must agree on it (FNV-1a, 32 bits). */
  get digest(): string {
    return `${this.#count}:${(this.#digest >>> 0).toString(16)}`;
  }

  /** The last lines, oldest first. */
  tail(count: number): readonly string[] {
    return this.#lines.slice(-count);
  }
}

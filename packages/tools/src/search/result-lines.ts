/** Lines of a search result, limited in number and bytes. */
const MAX_RESULT_BYTES = 50_000;

export class ResultLines {
  readonly #limit: number;
  readonly #lines: string[] = [];
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns false if it doesn't fit: then the result is complete */
  add(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#lines.length >= this.#limit || this.#bytes + bytes > MAX_RESULT_BYTES) return false;
    this.#lines.push(line);
    this.#bytes += bytes;
    return true;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** @param notices bracketed remarks for the end */
  text(notices: readonly string[]): string {
    return [...this.#lines, ...notices].join('\n');
  }
}

/** Limits of one page of lines. */
const MAX_PAGE_BYTES = 50_000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Collects lines `first` to `first + limit - 1` of a stream of bytes, and counts them all. Memory
 * stays within the page.
 */
export class LinePage {
  readonly #first: number;
  readonly #end: number;
  readonly #lines: Buffer[] = [];
  #bytes = 0;
  #full = false;
  /** Number of the current line, from 1. */
  #line = 1;
  #part: Buffer[] = [];
  #partBytes = 0;
  #lineBytes = 0;
  #cut: { readonly line: number; readonly bytes: number } | undefined;

  /** @param first number of the first wanted line, from 1 */
  constructor(first: number, limit: number) {
    this.#first = first;
    this.#end = first + limit;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      this.#addPart(chunk.subarray(start, at));
      this.#endLine();
      start = at + 1;
    }
    this.#addPart(chunk.subarray(start));
  }

  /** Call once, after the last chunk; a last line without a line feed counts. */
  finish(): void {
    if (this.#lineBytes > 0) this.#endLine();
  }

  get lines(): readonly Buffer[] {
    return this.#lines;
  }

  /** Total number of lines. */
  get total(): number {
    return this.#line - 1;
  }

  /** The first line, if it is longer than a page, with its length. */
  get cut(): { readonly line: number; readonly bytes: number } | undefined {
    return this.#cut;
  }

  #wanted(): boolean {
    return !this.#full && this.#line >= this.#first && this.#line < this.#end;
  }

  #addPart(part: Buffer): void {
    this.#lineBytes += part.length;
    if (!this.#wanted() || part.length === 0) return;
    const room = MAX_PAGE_BYTES - this.#bytes - this.#partBytes;
    if (room <= 0) return;
    // Copied: the reader reuses the memory of its chunks.
    this.#part.push(Buffer.from(part.subarray(0, room)));
    this.#partBytes += Math.min(room, part.length);
  }

  #endLine(): void {
    if (this.#wanted()) this.#keepLine();
    this.#part = [];
    this.#partBytes = 0;
    this.#lineBytes = 0;
    this.#line += 1;
  }

  #keepLine(): void {
    const complete = this.#partBytes === this.#lineBytes;
    if (!complete && this.#lines.length > 0) {
      this.#full = true;
      return;
    }
    if (!complete) this.#cut = { line: this.#line, bytes: this.#lineBytes };
    const line = Buffer.concat(this.#part);
    this.#lines.push(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);
    this.#bytes += line.length + 1;
    this.#full = this.#bytes >= MAX_PAGE_BYTES;
  }
}

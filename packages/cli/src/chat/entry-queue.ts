/** Lines within this time of one another form one paste, milliseconds. */
const PASTE_MS = 25;

/**
 * Groups lines into entries. On a terminal, lines that arrive together are one pasted entry: a
 * person types more slowly, and a message must not be sent line by line. From a pipe every line is
 * an entry.
 */
export class EntryQueue implements AsyncIterable<string> {
  readonly #joinPastes: boolean;
  readonly #entries: string[] = [];
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(joinPastes: boolean) {
    this.#joinPastes = joinPastes;
  }

  line(text: string): void {
    this.#lines.push(text);
    clearTimeout(this.#timer);
    if (this.#joinPastes) this.#timer = setTimeout(() => this.#flush(), PASTE_MS);
    else this.#flush();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#flush();
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (true) {
      const entry = this.#entries.shift();
      if (entry !== undefined) {
        yield entry;
      } else if (this.#ended) {
        return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#entries.push(this.#lines.join('\n'));
    this.#lines = [];
    this.#wake?.();
  }
}

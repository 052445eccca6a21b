/** Marks around pasted text (bracketed paste, xterm). */
export const PASTE_START = '\x1b[200~';
export const PASTE_END = '\x1b[201~';

interface PasteGateOptions {
  /** Longer text is counted and not kept, characters. */
  readonly most: number;
  /** Typed input, unchanged. */
  readonly onKeys: (data: string) => void;
  readonly onPaste: (text: string) => void;
  /** A paste that was too long has ended; none of it is kept. */
  readonly onTooLong: (characters: number) => void;
}

/**
 * Extracts pastes from a terminal's input. The library rescans the whole paste with each piece of
 * four kilobytes: fifty megabytes would take hours.
 */
export class PasteGate {
  readonly #options: PasteGateOptions;
  #pieces: string[] | undefined;
  #length = 0;
  /** The end of the input, if it may be the start of a mark. */
  #held = '';

  constructor(options: PasteGateOptions) {
    this.#options = options;
  }

  take(data: string): void {
    let rest = this.#held + data;
    this.#held = '';
    while (rest !== '') {
      const isInside = this.#pieces !== undefined;
      const mark = isInside ? PASTE_END : PASTE_START;
      const at = rest.indexOf(mark);
      if (at < 0) {
        const kept = beginningAtEnd(rest, mark, isInside ? 1 : SHORTEST_KEPT);
        this.#pass(rest.slice(0, rest.length - kept));
        this.#held = rest.slice(rest.length - kept);
        return;
      }
      this.#pass(rest.slice(0, at));
      rest = rest.slice(at + mark.length);
      if (isInside) this.#end();
      else this.#pieces = [];
    }
  }

  #pass(data: string): void {
    if (data === '') return;
    if (this.#pieces === undefined) {
      this.#options.onKeys(data);
      return;
    }
    this.#length += data.length;
    if (this.#length <= this.#options.most) this.#pieces.push(data);
    else this.#pieces = [];
  }

  #end(): void {
    const length = this.#length;
    const text = this.#pieces?.join('') ?? '';
    this.#pieces = undefined;
    this.#length = 0;
    if (length > this.#options.most) this.#options.onTooLong(length);
    else this.#options.onPaste(text);
  }
}

/**
 * A shorter piece may be a key: Escape, or Alt and a bracket. The library handles a paste whose
 * mark is cut there.
 */
const SHORTEST_KEPT = 3;

/** How many characters at a text's end may be the start of a mark. */
function beginningAtEnd(text: string, mark: string, shortest: number): number {
  for (let length = mark.length - 1; length >= shortest; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

/** Invisible characters, by which a page could hide text for a model from a person. */
const UNSEEN = /(?![\n\t\f\u200c\u200d])[\p{Cc}\p{Cf}]|\p{Variation_Selector}/gu;

/** Removes invisible characters; keeps blanks, and the joiners that some scripts need. */
export function visibleOnly(text: string): string {
  return text.replace(UNSEEN, '');
}

/**
 * Assembles the text of a page: blanks collapse, blocks are separated, and the length is limited.
 */
export class TextWriter {
  readonly #maxCharacters: number;
  readonly #parts: string[] = [];
  #length = 0;
  /** Line feeds to write before the next text. */
  #breaks = 0;
  #blank = false;
  #full = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** True if something did not fit. */
  get truncated(): boolean {
    return this.#full;
  }

  /** Running text: each run of blanks becomes one blank. */
  words(text: string): void {
    const words = text.split(/\s+/u);
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#blank = true;
      if (word !== '') this.#put(word);
    }
  }

  /** Text whose blanks and line breaks are kept. */
  verbatim(text: string): void {
    if (text !== '') this.#put(text);
  }

  /** Minimum of line feeds before the next text: 1 starts a line, 2 leave an empty one. */
  apart(lines: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, lines);
    this.#blank = false;
  }

  #put(text: string): void {
    if (this.#full) return;
    const gap =
      this.#length === 0 ? '' : this.#breaks > 0 ? '\n'.repeat(this.#breaks) : this.#blank ? ' ' : '';
    this.#breaks = 0;
    this.#blank = false;
    const room = this.#maxCharacters - this.#length - gap.length;
    this.#full = text.length > room;
    const part = gap + text.slice(0, Math.max(room, 0));
    this.#parts.push(part);
    this.#length += part.length;
  }
}

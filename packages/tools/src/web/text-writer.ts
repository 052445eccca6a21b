/** Characters nobody sees, by which a page could tell a model what it does not tell a person. */
const UNSEEN = /(?![\n\t\f\u200c\u200d])[\p{Cc}\p{Cf}]|\p{Variation_Selector}/gu;

/** Takes out what nobody sees; blanks stay, and the joiners that some scripts need. */
export function visibleOnly(text: string): string {
  return text.replace(UNSEEN, '');
}

/** Puts together the text of a page: blanks collapse, blocks stand apart, and there is an end to it. */
export class TextWriter {
  readonly #maxCharacters: number;
  readonly #parts: string[] = [];
  #length = 0;
  /** Line feeds owed before the next text. */
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

  /** Running text: every run of blanks is one. */
  words(text: string): void {
    const words = text.split(/\s+/u);
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#blank = true;
      if (word !== '') this.#put(word);
    }
  }

  /** Text whose blanks and lines count. */
  verbatim(text: string): void {
    if (text !== '') this.#put(text);
  }

  /** At least so many line feeds before what comes next: 1 begins a line, 2 leaves one free. */
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

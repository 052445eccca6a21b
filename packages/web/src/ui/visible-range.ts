/** Positions of the rows of a long list, as far as measured. */
export class RowHeights {
  readonly #heights: (number | undefined)[] = [];
  readonly #guess: number;

  /** @param guess pixels of a row that was never drawn */
  constructor(guess: number) {
    this.#guess = guess;
  }

  /** @returns true if it differs from before */
  set(index: number, height: number): boolean {
    if (this.#heights[index] === height) return false;
    this.#heights[index] = height;
    return true;
  }

  /** Pixels of rows `from` up to, but without, `to`. */
  between(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += this.#heights[index] ?? this.#guess;
    return sum;
  }

  /**
   * The rows that touch a part of the list.
   *
   * @param top pixels from the list's start
   * @param bottom pixels from the list's start
   * @returns the first, and the one after the last
   */
  range(count: number, top: number, bottom: number): { readonly first: number; readonly end: number } {
    let first = 0;
    let edge = 0;
    for (; first < count; first += 1) {
      const height = this.#heights[first] ?? this.#guess;
      if (edge + height > top) break;
      edge += height;
    }
    let end = first;
    for (; end < count && edge < bottom; end += 1) edge += this.#heights[end] ?? this.#guess;
    return { first: Math.min(first, Math.max(count - 1, 0)), end };
  }
}

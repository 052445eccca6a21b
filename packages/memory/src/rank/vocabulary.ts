import { term } from '../text/terms.ts';
import { words } from '../text/words.ts';
import { trigrams } from './trigrams.ts';

/**
 * Terms as small numbers, so that a chunk is a few arrays and a question is an array over all terms. It only grows: whoever keeps one
 * for long starts anew when {@link Vocabulary.size} is too large.
 */
export class Vocabulary {
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #byWord = new Map<string, number>();
  readonly #byTrigram = new Map<string, number[]>();

  get size(): number {
    return this.#terms.length;
  }

  /** Numbers of the terms of a text, in order. */
  idsOf(text: string): Uint32Array {
    return Uint32Array.from(words(text), (word) => this.#idOfWord(word));
  }

  find(one: string): number | undefined {
    return this.#ids.get(one);
  }

  term(id: number): string {
    return this.#terms[id] ?? '';
  }

  /**
   * Terms that are written alike, with the share of trigrams they have in common with this one (Dice).
   *
   * @param least - 0 to 1: what shares less is left out.
   */
  alike(one: string, least: number): ReadonlyMap<number, number> {
    const own = trigrams(one);
    const shared = new Map<number, number>();
    for (const gram of own)
      for (const id of this.#byTrigram.get(gram) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    const found = new Map<number, number>();
    for (const [id, count] of shared) {
      const dice = (2 * count) / (own.size + this.term(id).length);
      if (dice >= least) found.set(id, Math.min(1, dice));
    }
    return found;
  }

  #idOfWord(word: string): number {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const id = this.#idOf(term(word));
    this.#byWord.set(word, id);
    return id;
  }

  #idOf(one: string): number {
    const known = this.#ids.get(one);
    if (known !== undefined) return known;
    const id = this.#terms.length;
    this.#ids.set(one, id);
    this.#terms.push(one);
    for (const gram of trigrams(one)) {
      const ids = this.#byTrigram.get(gram);
      if (ids === undefined) this.#byTrigram.set(gram, [id]);
      else ids.push(id);
    }
    return id;
  }
}

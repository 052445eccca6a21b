import { term } from './terms.ts';
import { words } from './words.ts';

/** Words whose terms are cached: computing a stem takes ten times as long as a look-up. */
const MOST_KEPT = 50_000;

/** A term and its number; see {@link hashOf}. */
export interface ReadTerm {
  readonly term: string;
  readonly hash: number;
}

/** Finds the terms of texts, and caches those of known words. */
export class TermReader {
  readonly #known = new Map<string, ReadTerm>();

  /** In order, with repetitions; see `terms`. */
  read(text: string): readonly ReadTerm[] {
    return words(text).map((word) => this.#of(word));
  }

  #of(word: string): ReadTerm {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const found = term(word);
    const read = { term: found, hash: hashOf(found) };
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(word, read);
    return read;
  }
}

/**
 * A 32-bit hash of a text; two of some hundred thousand words rarely share one, which at worst
 * costs a place in an answer.
 */
export function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x29_7a_2d_39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

import { type Alphabet, holdsCode } from './alphabet.ts';
import type { Candidate, Step } from './candidate.ts';

/** After this many characters, it is decided whether they look like a secret. */
export const DECIDE_AT = 64;

/** The shape of a token after its anchor. */
export interface TokenShape {
  readonly alphabet: Alphabet;
  /** Fewest characters. */
  readonly least: number;
  /** Most characters: a longer run is something else. At most `DECIDE_AT`. */
  readonly most?: number;
  /** For shapes that are not specific enough. Receives at most `DECIDE_AT` characters. */
  isLikely?(body: string): boolean;
}

/** A run of characters of one alphabet. Once certain, hidden to its end, however long. */
export class TokenCandidate implements Candidate {
  readonly kind: string;
  readonly from: number;
  readonly #shape: TokenShape;
  #count = 0;
  #body = '';
  #isSure = false;

  constructor(kind: string, from: number, shape: TokenShape) {
    this.kind = kind;
    this.from = from;
    this.#shape = shape;
  }

  take(code: number): Step {
    const { alphabet, least, most, isLikely } = this.#shape;
    if (!holdsCode(alphabet, code)) return this.#isSure || this.end() ? 'past' : 'refused';
    if (this.#isSure) return 'hidden';
    this.#count += 1;
    if (isLikely !== undefined) this.#body += String.fromCharCode(code);
    if (most !== undefined) return this.#count > most ? 'refused' : 'undecided';
    if (this.#count < (isLikely === undefined ? least : DECIDE_AT)) return 'undecided';
    this.#isSure = this.end();
    return this.#isSure ? 'hidden' : 'refused';
  }

  end(): boolean {
    const { least, isLikely } = this.#shape;
    return this.#count >= least && (isLikely?.(this.#body) ?? true);
  }
}

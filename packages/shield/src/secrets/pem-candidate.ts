import { ALPHANUMERIC, alphabetOf, BASE64, DIGITS, holdsCode, UPPER } from './alphabet.ts';
import type { AnchorPlace, Candidate, SecretFormat, Step } from './candidate.ts';

const DASH = 45;
const LABEL = alphabetOf(`${UPPER}${DIGITS} `);
const MOST_LABEL = 48;
/**
 * Text between the lines of a key: white space, also as the `\n` of a JSON string, header fields
 * (RFC 1421), and prefixes that tools add to a line: its number, a quotation mark, a file name.
 */
const BODY = alphabetOf(`${ALPHANUMERIC}+/= \t\r\n\\:,.|>"'_-`);
/** This many base64 characters in a row are part of a key; labels and header fields have fewer. */
const LEAST_RUN = 20;
/** After this many characters without such a run, it is not a key, or its end is missing. */
const MOST_FILLER = 200;

/**
 * A private key in PEM (RFC 7468), also OpenSSH's and PGP's, from its first line to the end of its
 * last.
 */
class PemCandidate implements Candidate {
  readonly kind = 'private-key';
  readonly from: number;
  #label = '';
  #inBody = false;
  #isSure = false;
  #dashes = 0;
  #rows = 0;
  #run = 0;
  #filler = 0;

  constructor({ start }: AnchorPlace) {
    this.from = start;
  }

  take(code: number): Step {
    return this.#inBody ? this.#takeBody(code) : this.#takeLabel(code);
  }

  end(): boolean {
    return false;
  }

  #takeLabel(code: number): Step {
    if (code === DASH) {
      this.#dashes += 1;
      if (this.#dashes < 5) return 'undecided';
      this.#dashes = 0;
      this.#inBody = true;
      return this.#label.includes('PRIVATE KEY') ? 'undecided' : 'refused';
    }
    if (this.#dashes > 0 || !holdsCode(LABEL, code) || this.#label.length >= MOST_LABEL) return 'refused';
    this.#label += String.fromCharCode(code);
    return 'undecided';
  }

  #takeBody(code: number): Step {
    if (!holdsCode(BODY, code)) return this.#isSure ? 'past' : 'refused';
    if (this.#isEnd(code)) return this.#isSure ? 'last' : 'refused';
    this.#run = holdsCode(BASE64, code) ? this.#run + 1 : 0;
    this.#filler = this.#run >= LEAST_RUN ? 0 : this.#filler + 1;
    if (this.#run >= LEAST_RUN) this.#isSure = true;
    if (this.#filler > MOST_FILLER) return this.#isSure ? 'past' : 'refused';
    return this.#isSure ? 'hidden' : 'undecided';
  }

  /** True after the two rows of five dashes of the last line. */
  #isEnd(code: number): boolean {
    this.#dashes = code === DASH ? this.#dashes + 1 : 0;
    if (this.#dashes === 5) this.#rows += 1;
    return this.#rows === 2;
  }
}

export const pemFormat: SecretFormat = {
  anchors: ['-----BEGIN '],
  holds: true,
  open: (place) => new PemCandidate(place),
};

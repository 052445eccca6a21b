import type { Candidate, SecretFormat, Step } from './candidate.ts';
import { valueForms } from './value-forms.ts';

/** Characters of a form used as its anchor; the rest is compared. */
const MOST_ANCHOR = 24;
/**
 * Characters held back of a long secret: after so many matches, it is hidden without waiting for
 * its end.
 */
const MOST_HELD = 256;
/** Most ignored characters of line breaks and following blanks, in one place. */
export const MOST_BREAK = 64;

const LINE_FEED = 10;
const RETURN = 13;

/** The rest of a secret whose start was found, letter by letter, with line breaks anywhere. */
class ValueCandidate implements Candidate {
  readonly kind = 'secret';
  readonly from: number;
  readonly #rest: string;
  #count = 0;
  #break = 0;

  constructor(from: number, rest: string) {
    this.from = from;
    this.#rest = rest;
  }

  take(code: number): Step {
    const isSure = this.#count >= MOST_HELD;
    if (code === this.#rest.charCodeAt(this.#count)) {
      this.#count += 1;
      this.#break = 0;
      if (this.#count === this.#rest.length) return 'last';
      return this.#count >= MOST_HELD ? 'hidden' : 'undecided';
    }
    if (this.#isBreak(code)) return isSure ? 'hidden' : 'undecided';
    return isSure ? 'past' : 'refused';
  }

  end(): boolean {
    return false;
  }

  #isBreak(code: number): boolean {
    if (!isLineBreak(code) && (this.#break === 0 || !isBlank(code))) return false;
    this.#break += 1;
    return this.#break <= MOST_BREAK;
  }
}

export function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === RETURN;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Returns formats that find a secret by value, in every form it is often written in. */
export function valueFormats(value: string): SecretFormat[] {
  return valueForms(value).map((form) => {
    const length = Math.min(MOST_ANCHOR, form.length - 1);
    const rest = form.slice(length);
    return {
      anchors: [form.slice(0, length)],
      holds: true,
      acrossLines: true,
      open: ({ start }) => new ValueCandidate(start, rest),
    };
  });
}

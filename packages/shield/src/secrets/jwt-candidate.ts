import { BASE64_URL, DOTTED, holdsCode } from './alphabet.ts';
import type { AnchorPlace, Candidate, SecretFormat, Step } from './candidate.ts';
import { isWordStart } from './word-start.ts';

const DOT = 46;
const LEAST_HEADER = 8;
const LEAST_PAYLOAD = 16;
/** A header is not secret: a longer one is not held back, only the text after it. */
const MOST_HELD_HEADER = 512;

/**
 * A signed or encrypted token: a JSON object in base64url, a dot, and more (RFC 7515, section 7.1).
 */
class JwtCandidate implements Candidate {
  readonly kind = 'jwt';
  #from: number | undefined;
  #header = 0;
  /** Characters after the first dot; undefined before it. */
  #payload: number | undefined;

  constructor({ start }: AnchorPlace) {
    this.#from = start;
  }

  get from(): number | undefined {
    return this.#from;
  }

  take(code: number, at: number): Step {
    if (this.#payload !== undefined) return this.#takePayload(code, this.#payload);
    if (code === DOT) {
      if (this.#header < LEAST_HEADER) return 'refused';
      this.#payload = 0;
      this.#from ??= at;
      return 'undecided';
    }
    if (!holdsCode(BASE64_URL, code)) return 'refused';
    this.#header += 1;
    if (this.#header > MOST_HELD_HEADER) this.#from = undefined;
    return 'undecided';
  }

  end(): boolean {
    return false;
  }

  #takePayload(code: number, before: number): Step {
    const isSure = before >= LEAST_PAYLOAD;
    if (!holdsCode(isSure ? DOTTED : BASE64_URL, code)) return isSure ? 'past' : 'refused';
    this.#payload = before + 1;
    return before + 1 >= LEAST_PAYLOAD ? 'hidden' : 'undecided';
  }
}

/** `{"` in base64. */
export const jwtFormat: SecretFormat = {
  anchors: ['eyJ'],
  holds: true,
  open: (place) =>
    isWordStart(place.before) && !place.before.endsWith('-') ? new JwtCandidate(place) : undefined,
};

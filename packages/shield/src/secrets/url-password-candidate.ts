import { holdsCode, USER_INFO } from './alphabet.ts';
import type { Candidate, SecretFormat, Step } from './candidate.ts';

const COLON = 58;
const AT = 64;
const MOST_USER = 128;
/** A longer one is hidden without waiting for its end. */
const MOST_HELD = 256;
/** Placeholders for a password: `$VARIABLE`, `***`. */
const PLACEHOLDER = /^[$*]/;

/** The password between a URL's user name and its host (RFC 3986, section 3.2.1). */
class UrlPasswordCandidate implements Candidate {
  readonly kind = 'password';
  #user = 0;
  #from: number | undefined;
  #first: number | undefined;
  #length = 0;

  get from(): number | undefined {
    return this.#from;
  }

  take(code: number, at: number): Step {
    if (this.#first === undefined) return this.#takeUser(code, at);
    if (code === AT) return this.#length > 0 ? 'past' : 'refused';
    const isSure = this.#length >= MOST_HELD;
    if (!holdsCode(USER_INFO, code) && code !== COLON) return isSure ? 'past' : 'refused';
    if (at === this.#first && PLACEHOLDER.test(String.fromCharCode(code))) return 'refused';
    this.#from ??= at;
    this.#length += 1;
    return this.#length >= MOST_HELD ? 'hidden' : 'undecided';
  }

  end(): boolean {
    return false;
  }

  #takeUser(code: number, at: number): Step {
    if (code === COLON) this.#first = at + 1;
    else if (!holdsCode(USER_INFO, code) || this.#user >= MOST_USER) return 'refused';
    this.#user += 1;
    return 'undecided';
  }
}

export const urlPasswordFormat: SecretFormat = {
  anchors: ['://'],
  holds: false,
  open: () => new UrlPasswordCandidate(),
};

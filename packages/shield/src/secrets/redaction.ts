import type { Redaction, Redactor } from '@bulkhead/protocol';
import { BASE64, holdsCode, TOKEN68, USER_INFO } from './alphabet.ts';
import { AnchorAutomaton } from './anchor-automaton.ts';
import { assignmentFormat } from './assignment-candidate.ts';
import type { Candidate, SecretFormat, Step } from './candidate.ts';
import { jwtFormat } from './jwt-candidate.ts';
import { looksRandom } from './looks-random.ts';
import { pemFormat } from './pem-candidate.ts';
import { StreamRedactor } from './stream-redactor.ts';
import { TokenCandidate, type TokenShape } from './token-candidate.ts';
import { tokenFormats } from './token-formats.ts';
import { valueFormats } from './value-candidate.ts';

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

const urlPasswordFormat: SecretFormat = {
  anchors: ['://'],
  holds: false,
  open: () => new UrlPasswordCandidate(),
};

const bearer: TokenShape = { alphabet: TOKEN68, least: 16, isLikely: looksRandom };
const basic: TokenShape = { alphabet: BASE64, least: 8, isLikely: isUserAndPassword };

/** Values of the header `Authorization` (RFC 6750, RFC 7617). */
const authorizationFormats: readonly SecretFormat[] = [
  {
    anchors: ['Bearer ', 'bearer ', 'BEARER '],
    holds: false,
    open: ({ next }) => new TokenCandidate('bearer-token', next, bearer),
  },
  {
    anchors: ['Basic ', 'basic ', 'BASIC '],
    holds: false,
    open: ({ next }) => new TokenCandidate('basic-auth', next, basic),
  },
];

/** Words after "basic" are not credentials; base64 of printable text with a colon inside is. */
function isUserAndPassword(body: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(body, 'base64').toString('latin1'));
}

/** A shorter text holds no secret of any format, in characters. */
const LEAST_TEXT = 6;

const FORMATS: readonly SecretFormat[] = [
  ...tokenFormats,
  jwtFormat,
  pemFormat,
  urlPasswordFormat,
  ...authorizationFormats,
  assignmentFormat,
];

/**
 * Creates a redaction for the key formats of many services, and for these secret values. Time is
 * linear in the text, and a stream holds back only text that may still become a secret.
 *
 * @param values secrets known by value, found as written and in usual encodings; values of fewer
 * than 6 characters are ignored, since they would occur in ordinary text
 */
export function createRedaction(values: readonly string[]): Redaction {
  const formats = [...FORMATS, ...values.flatMap(valueFormats)];
  const automaton = new AnchorAutomaton(
    formats.flatMap((meaning) =>
      meaning.anchors.map((text) => ({
        text,
        meaning,
        holds: meaning.holds,
        acrossLines: meaning.acrossLines ?? false,
      })),
    ),
  );
  const redactor = (): Redactor => new StreamRedactor(automaton);
  return {
    redactor,
    redact: (text) => {
      if (text.length < LEAST_TEXT) return text;
      const stream = redactor();
      return stream.push(text) + stream.end();
    },
  };
}

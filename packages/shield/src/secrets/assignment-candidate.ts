import { ALPHANUMERIC, alphabetOf, holdsCode, LOWER, WORD } from './alphabet.ts';
import type { AnchorPlace, Candidate, SecretFormat, Step } from './candidate.ts';
import { looksRandom } from './looks-random.ts';
import { DECIDE_AT } from './token-candidate.ts';

/** Words that mark a value as a secret. */
const NAMES: readonly (readonly string[])[] = [
  ['password'],
  ['passwd'],
  ['passphrase'],
  ['pwd'],
  ['secret'],
  ['token'],
  ['credential'],
  ['api', 'key'],
  ['access', 'key'],
  ['account', 'key'],
  ['auth', 'key'],
  ['private', 'key'],
  ['signing', 'key'],
  ['encryption', 'key'],
  ['master', 'key'],
];

/** After such a word, these make it the name of something else. */
const HARMLESS = /(?:^|[_-])(?:names?|ids?|urls?|uri|path|files?|types?|counts?|length|limit|ref|version)$/;

const NAME_REST = alphabetOf(`${ALPHANUMERIC}_-`);
const LOWER_CASE = alphabetOf(LOWER);
const QUOTES = alphabetOf('"\'`\\');
const BLANKS = alphabetOf(' \t');
const SEPARATORS = alphabetOf('=:>');
const VALUE = alphabetOf(`${ALPHANUMERIC}+/=_.~!@#%^*?:-`);
/** In code, these follow a name whose value is not a literal. */
const CALLS = alphabetOf('([{$');

const MOST_REST = 24;
const MOST_BETWEEN = 12;

/** The candidate's position in `name": "value"`. */
type Part = 'name' | 'between' | 'value';

/** A value assigned to a secret's name: `NAME=value`, `"name": "value"`, `--name value`. */
class AssignmentCandidate implements Candidate {
  readonly kind = 'secret';
  readonly #isFlag: boolean;
  #part: Part = 'name';
  #rest = '';
  #between = 0;
  #isSeparated = false;
  #from: number | undefined;
  #value = '';
  #isSure = false;

  constructor({ before }: AnchorPlace) {
    this.#isFlag = /--[\w-]*$/.test(before);
  }

  get from(): number | undefined {
    return this.#from;
  }

  take(code: number, at: number): Step {
    switch (this.#part) {
      case 'name':
        return this.#takeName(code);
      case 'between':
        return this.#takeBetween(code, at);
      case 'value':
        return this.#takeValue(code);
    }
  }

  end(): boolean {
    return this.#part === 'value' && looksRandom(this.#value);
  }

  #takeName(code: number): Step {
    if (holdsCode(NAME_REST, code)) {
      if (this.#rest.length >= MOST_REST) return 'refused';
      // The word continues as another one: "tokenizer". A plural does not.
      const isOther = this.#rest === '' && holdsCode(LOWER_CASE, code) && code !== 's'.charCodeAt(0);
      this.#rest += String.fromCharCode(code);
      return isOther ? 'refused' : 'undecided';
    }
    if (HARMLESS.test(this.#rest.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())) return 'refused';
    this.#part = 'between';
    return this.#takeSign(code);
  }

  #takeBetween(code: number, at: number): Step {
    if (!this.#isSeparated || !holdsCode(WORD, code)) {
      const isValue = this.#isSeparated && holdsCode(VALUE, code) && !holdsCode(SEPARATORS, code);
      if (!isValue) return this.#takeSign(code);
    }
    this.#part = 'value';
    this.#from = at;
    return this.#takeValue(code);
  }

  /**
   * Accepts quotation marks, blanks and one separator, in any order: real text uses only the usual
   * one.
   */
  #takeSign(code: number): Step {
    this.#between += 1;
    if (this.#between > MOST_BETWEEN) return 'refused';
    if (holdsCode(SEPARATORS, code)) this.#isSeparated = true;
    else if (holdsCode(BLANKS, code)) this.#isSeparated ||= this.#isFlag;
    else if (!holdsCode(QUOTES, code) && code !== ']'.charCodeAt(0)) return 'refused';
    return 'undecided';
  }

  #takeValue(code: number): Step {
    if (!holdsCode(VALUE, code)) {
      if (this.#isSure) return 'past';
      return !holdsCode(CALLS, code) && this.end() ? 'past' : 'refused';
    }
    if (this.#isSure) return 'hidden';
    this.#value += String.fromCharCode(code);
    if (this.#value.length < DECIDE_AT) return 'undecided';
    this.#isSure = this.end();
    return this.#isSure ? 'hidden' : 'refused';
  }
}

export const assignmentFormat: SecretFormat = {
  anchors: [...new Set(NAMES.flatMap(spellings))],
  holds: false,
  open: (place) => new AssignmentCandidate(place),
};

/** `api_key`, `API-KEY`, `apiKey`, `ApiKey`, `apikey` and so on. */
function spellings(words: readonly string[]): string[] {
  const capital = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  const lower = ['', '_', '-'].map((joint) => words.join(joint));
  const mixed = [[words[0] ?? '', ...capital.slice(1)], capital].flatMap((all) =>
    ['', '-', '_'].map((joint) => all.join(joint)),
  );
  return [...lower, ...lower.map((word) => word.toUpperCase()), ...mixed];
}

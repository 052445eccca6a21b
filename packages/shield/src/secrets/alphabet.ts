/** A set of ASCII characters, looked up by code. */
export type Alphabet = Uint8Array;

const ASCII = 128;

/**
 * The set of all characters of `characters`; `a-z` between brackets is not special: write them out
 * with `range`.
 */
export function alphabetOf(characters: string): Alphabet {
  const set = new Uint8Array(ASCII);
  for (let index = 0; index < characters.length; index += 1) set[characters.charCodeAt(index)] = 1;
  return set;
}

export function holdsCode(alphabet: Alphabet, code: number): boolean {
  return alphabet[code] === 1;
}

const range = (first: string, last: string): string =>
  Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(first.charCodeAt(0) + index),
  ).join('');

export const DIGITS = range('0', '9');
export const LOWER = range('a', 'z');
export const UPPER = range('A', 'Z');
export const ALPHANUMERIC = `${DIGITS}${LOWER}${UPPER}`;

export const HEX_LOWER = alphabetOf(`${DIGITS}abcdef`);
export const UPPER_DIGITS = alphabetOf(`${UPPER}${DIGITS}`);
export const BASE62 = alphabetOf(ALPHANUMERIC);
export const WORD = alphabetOf(`${ALPHANUMERIC}_`);
/** RFC 4648, section 5. */
export const BASE64_URL = alphabetOf(`${ALPHANUMERIC}-_`);
/** RFC 4648, section 4, with its padding. */
export const BASE64 = alphabetOf(`${ALPHANUMERIC}+/=`);
/** Parts of base64url, joined by dots. */
export const DOTTED = alphabetOf(`${ALPHANUMERIC}-_.`);
/** RFC 6750: `b64token`. */
export const TOKEN68 = alphabetOf(`${ALPHANUMERIC}-._~+/=`);
/** RFC 3986: `userinfo`. */
export const USER_INFO = alphabetOf(`${ALPHANUMERIC}-._~!$&'()*+,;=%`);

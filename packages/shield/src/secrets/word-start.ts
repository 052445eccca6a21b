const WORD_END = /\w$/;
/** An escape that stands for no letter: of JSON and C, of URLs, and the colours of a terminal. */
const ESCAPE_END = /(?:\\[abfnrtv0]|\\x[\da-f]{2}|\\u[\da-f]{4}|%[\da-f]{2}|\p{Cc}\[[\d;]{0,16}m)$/iu;

/**
 * True if a new word begins after this text. In escaped text a letter may stand before it that is none: `\n` of JSON,
 * `%3D` of a URL.
 */
export function isWordStart(before: string): boolean {
  return !WORD_END.test(before) || ESCAPE_END.test(before);
}

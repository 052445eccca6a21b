const WORD_END = /\w$/;
/** An escape that is not a letter: of JSON and C, of URLs, and the colours of a terminal. */
const ESCAPE_END = /(?:\\[abfnrtv0]|\\x[\da-f]{2}|\\u[\da-f]{4}|%[\da-f]{2}|\p{Cc}\[[\d;]{0,16}m)$/iu;

/**
 * True if a new word starts after this text. In escaped text, the preceding letter may belong to an
 * escape: `\n` of JSON, `%3D` of a URL.
 */
export function isWordStart(before: string): boolean {
  return !WORD_END.test(before) || ESCAPE_END.test(before);
}

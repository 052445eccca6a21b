/** More words than a user types; further ones are ignored. */
const MOST_WORDS = 32;

/** The words of a user's query. */
export function wordsOf(query: string): readonly string[] {
  return (query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MOST_WORDS);
}

/**
 * A full-text query for text that contains every word, the last one also as a prefix. Words are
 * quoted (syntax: sqlite.org/fts5.html, 3.1), so no user input is an operator. Undefined without a
 * word.
 */
export function matchOf(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  return `${words.map((word) => `"${word}"`).join(' AND ')} *`;
}

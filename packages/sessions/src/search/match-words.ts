/** More words than a person types; the rest is left out. */
const MOST_WORDS = 32;

/** The words of what a person typed. */
export function wordsOf(query: string): readonly string[] {
  return (query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MOST_WORDS);
}

/**
 * A full-text query for text that holds every word, the last one also as the beginning of a word. Words are quoted
 * (syntax: sqlite.org/fts5.html, 3.1), so nothing a person types is an operator. Undefined without a word.
 */
export function matchOf(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  return `${words.map((word) => `"${word}"`).join(' AND ')} *`;
}

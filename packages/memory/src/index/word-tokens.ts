/** Longest term that is distinguished. */
const MOST_LENGTH = 64;
/**
 * Marks a second token of a term that a chunk has more than once. Not ASCII, so the tokenizer
 * treats it as a letter.
 */
const TWICE = '²';
/** Characters at which the tokenizer would split terms. */
const PARTS = /[\0-/:-@[-`{-\x7f]/g;

/** A term as stored in the index. */
export function wordToken(term: string): string {
  return term.slice(0, MOST_LENGTH).toWellFormed().replace(PARTS, '·');
}

/** The additional token of a chunk that has the term more than once. */
export function twiceToken(term: string): string {
  return TWICE + wordToken(term);
}

/** How often each token is among the terms of a chunk. */
export function tokenCounts(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) {
    const token = wordToken(term);
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

/** The tokens of a chunk, as one text for the index. */
export function chunkTokens(counts: ReadonlyMap<string, number>): string {
  const tokens: string[] = [];
  for (const [token, count] of counts) tokens.push(count > 1 ? `${token} ${TWICE}${token}` : token);
  return tokens.join(' ');
}

/** A token as a query in the language of FTS5. */
export function matchToken(token: string): string {
  return `"${token}"`;
}

import { alikeTo } from '../rank/alike.ts';
import type { CorpusStats } from '../rank/candidate.ts';
import { commonTerms } from '../text/common-words.ts';
import { terms } from '../text/terms.ts';

/** Most terms of a query; in a longer text, the first words show its topic. */
const MOST_TERMS = 64;
/** Most similar words for a word without occurrences, as with a typing error. */
const MOST_ALIKE = 3;
const LEAST_ALIKE = 0.6;
const COMMON = commonTerms();

/**
 * Returns the terms of a query used to choose chunks: without those in nearly every text, which
 * cost most, unless there are no others; for a term without occurrences, the words with the most
 * similar spelling.
 */
export function wordsToFind(query: string, stats: CorpusStats): readonly string[] {
  const all = [...new Set(terms(query))].slice(0, MOST_TERMS);
  const telling = all.filter((term) => !COMMON.has(term));
  return (telling.length > 0 ? telling : all).flatMap((term) =>
    stats.documentFrequency(term) > 0 ? [term] : nearest(term, stats),
  );
}

function nearest(term: string, stats: CorpusStats): readonly string[] {
  const alike = alikeTo(term);
  return [...(stats.alike?.(term) ?? [])]
    .map((other) => ({ other, share: alike(other) }))
    .filter(({ share }) => share >= LEAST_ALIKE)
    .sort((a, b) => b.share - a.share || (a.other < b.other ? -1 : 1))
    .slice(0, MOST_ALIKE)
    .map(({ other }) => other);
}

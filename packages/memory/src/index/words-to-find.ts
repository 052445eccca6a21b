import { alikeTo } from '../rank/alike.ts';
import type { CorpusStats } from '../rank/candidate.ts';
import { commonTerms } from '../text/common-words.ts';
import { terms } from '../text/terms.ts';

/** Of a query; what is longer is a text, and its first words tell what it is about. */
const MOST_TERMS = 64;
/** What stands for a word that stands nowhere, as with a slip of the pen. */
const MOST_ALIKE = 3;
const LEAST_ALIKE = 0.6;
const COMMON = commonTerms();

/**
 * The terms of a query by which chunks are chosen: not those that are in nearly every text and cost most to look up, unless there are no
 * others; for one that stands nowhere, those that are written most alike.
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

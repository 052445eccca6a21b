import type { Candidate, CorpusStats, Ranked } from './candidate.ts';
import { Ranker } from './ranker.ts';

/**
 * Orders chunks by how likely they answer a question, best first: by its words, related words and
 * words with similar spelling, in the chunk and in its best line; by days and persons; by headings
 * and nearness of vectors.
 *
 * Pure, and about 50 µs slower for each chunk than a {@link Ranker} that has prepared it before.
 *
 * @param query - A question or some words; its first 4,000 characters count.
 * @param now - The reference time of `last May`.
 * @returns All candidates. Scores decrease and are comparable within one answer only.
 */
export function rank(
  query: string,
  now: Date,
  candidates: readonly Candidate[],
  stats: CorpusStats,
): readonly Ranked[] {
  return new Ranker().rank(query, now, candidates, stats);
}

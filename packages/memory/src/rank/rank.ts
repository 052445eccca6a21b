import { terms } from '../text/terms.ts';

/** A chunk that may be among the answers. */
export interface Candidate {
  readonly id: number;
  readonly path: string;
  /** Of the chunk in its file, from 0. */
  readonly ordinal: number;
  readonly heading: string;
  readonly date: string;
  readonly text: string;
  /** Cosine of the vectors of query and chunk, where there are any. */
  readonly similarity?: number;
}

/** What is known of all chunks, candidates or not. */
export interface CorpusStats {
  readonly chunks: number;
  readonly averageTerms: number;
  documentFrequency(term: string): number;
}

const K1 = 1.2;
const B = 0.75;

/** The candidates that have anything of the query, best first. */
export function rank(
  query: string,
  _now: Date,
  candidates: readonly Candidate[],
  stats: CorpusStats,
): readonly { readonly id: number; readonly score: number }[] {
  const wanted = [...new Set(terms(query))].map((term) => {
    const frequency = stats.documentFrequency(term);
    return { term, weight: Math.log(1 + (stats.chunks - frequency + 0.5) / (frequency + 0.5)) };
  });
  return candidates
    .map((candidate) => ({ id: candidate.id, score: bm25(candidate, wanted, stats.averageTerms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function bm25(
  { heading, text, similarity = 0 }: Candidate,
  wanted: readonly { readonly term: string; readonly weight: number }[],
  averageTerms: number,
): number {
  const words = terms(`${heading} ${text}`);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const length = K1 * (1 - B + (B * words.length) / Math.max(1, averageTerms));
  const sum = wanted.reduce((score, { term, weight }) => {
    const count = counts.get(term) ?? 0;
    return score + (weight * count * (K1 + 1)) / (count + length);
  }, 0);
  return sum === 0 && similarity < 0.4 ? 0 : sum + Math.max(0, similarity);
}

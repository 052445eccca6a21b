import { TermReader } from '../text/term-reader.ts';
import type { Candidate, CorpusStats, Ranked } from './candidate.ts';
import { type ChunkFeatures, chunkFeatures } from './chunk-features.ts';
import { type ChunkScore, ChunkScorer } from './chunk-score.ts';
import { inOrder, type Scored } from './order.ts';
import { packChunk } from './packed-chunk.ts';
import { readQuestion } from './question.ts';
import { speakersIn } from './speakers.ts';
import { RANK_WEIGHTS, type RankWeights } from './weights.ts';

export interface RankerOptions {
  /** How many chunks stay prepared; one takes about 5 kB. */
  readonly keep?: number;
  readonly weights?: RankWeights;
}

/**
 * Puts chunks in order by how likely they answer a question, and keeps what it has prepared of them: a chunk with the same id and text
 * is not read again. Same order as without; see `rank`.
 */
export class Ranker {
  readonly #keep: number;
  readonly #weights: RankWeights;
  readonly #terms = new TermReader();
  readonly #prepared = new Map<number, { readonly candidate: Candidate; readonly features: ChunkFeatures }>();

  constructor({ keep = 2_000, weights = RANK_WEIGHTS }: RankerOptions = {}) {
    this.#keep = keep;
    this.#weights = weights;
  }

  rank(query: string, now: Date, candidates: readonly Candidate[], stats: CorpusStats): readonly Ranked[] {
    const features = candidates.map((one) => this.#features(one));
    const question = readQuestion(query, {
      now,
      stats,
      speakers: speakersIn(features),
      weights: this.#weights,
    });
    const scorer = new ChunkScorer(question, this.#weights, stats.averageTerms);
    const scored = candidates.map((candidate, at): Scored => {
      const chunk = features[at];
      const score: ChunkScore =
        chunk === undefined ? { words: 0, setting: 0, lines: [] } : scorer.score(chunk);
      return { candidate, lines: chunk?.lines.map(({ hash }) => hash) ?? [], score };
    });
    return inOrder(scored, this.#weights);
  }

  /** Drops all that was prepared. */
  forget(): void {
    this.#prepared.clear();
  }

  #features(candidate: Candidate): ChunkFeatures {
    const known = this.#prepared.get(candidate.id);
    if (known !== undefined && isSame(known.candidate, candidate)) return known.features;
    const packed = candidate.packed ?? packChunk(candidate, this.#terms).packed;
    const features = chunkFeatures(packed, candidate.date);
    if (this.#prepared.size >= this.#keep) this.#dropOldest();
    this.#prepared.set(candidate.id, { candidate, features });
    return features;
  }

  #dropOldest(): void {
    const [oldest] = this.#prepared.keys();
    if (oldest !== undefined) this.#prepared.delete(oldest);
  }
}

function isSame(a: Candidate, b: Candidate): boolean {
  return a.text === b.text && a.date === b.date && a.heading === b.heading;
}

import { TermReader } from '../text/term-reader.ts';
import type { Candidate, CorpusStats, Ranked } from './candidate.ts';
import { type ChunkFeatures, chunkFeatures } from './chunk-features.ts';
import { type ChunkScore, ChunkScorer } from './chunk-score.ts';
import { inOrder, type Scored } from './order.ts';
import { packChunk } from './packed-chunk.ts';
import { readQuestion } from './question.ts';
import { RANK_WEIGHTS, type RankWeights } from './weights.ts';

/**
 * Orders chunks by how likely they answer a question, and caches the features of each while the
 * chunk's object lives: a changed chunk must be a new object. The order is the same as that of
 * `rank`.
 */
export class Ranker {
  readonly #weights: RankWeights;
  readonly #terms = new TermReader();
  readonly #prepared = new WeakMap<Candidate, ChunkFeatures>();

  constructor(weights: RankWeights = RANK_WEIGHTS) {
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
      return { candidate, lines: chunk?.hashes ?? [], score };
    });
    return inOrder(scored, this.#weights);
  }

  #features(candidate: Candidate): ChunkFeatures {
    const known = this.#prepared.get(candidate);
    if (known !== undefined) return known;
    const packed = candidate.packed ?? packChunk(candidate, this.#terms).packed;
    const features = chunkFeatures(packed, candidate.date);
    this.#prepared.set(candidate, features);
    return features;
  }
}

/** A speaker of fewer lines may be a label (`Note: …`) instead of a person. */
const FEWEST_LINES = 5;

interface Speaker {
  readonly words: Uint32Array;
  lines: number;
}

/** The words of all speakers' names in some chunks, from `hashOf`. */
function speakersIn(chunks: readonly ChunkFeatures[]): ReadonlySet<number> {
  const speakers = new Map<number, Speaker>();
  for (const chunk of chunks) for (const speaker of chunk.speakers) count(speakers, speaker);
  return new Set(
    [...speakers.values()].flatMap(({ words, lines }) => (lines < FEWEST_LINES ? [] : [...words])),
  );
}

function count(speakers: Map<number, Speaker>, words: Uint32Array): void {
  if (words.length === 0) return;
  const key = keyOf(words);
  const known = speakers.get(key);
  if (known === undefined) speakers.set(key, { words, lines: 1 });
  else known.lines += 1;
}

/** One number for a name of one or more words. */
function keyOf(speaker: Uint32Array): number {
  if (speaker.length === 1) return speaker[0] ?? 0;
  let key = 0;
  for (const word of speaker) key = (Math.imul(key, 31) + word) >>> 0;
  return key;
}

/**
 * The weight of each sign of an answer. Rounded values near each person's best weights, fitted
 * without that person; see docs/memory.md.
 */
export interface RankWeights {
  /** BM25: saturation of repeated words, and discount of long chunks. */
  readonly k1: number;
  readonly b: number;
  /** Worth of a very common English word, relative to an equally rare other word. */
  readonly plain: number;
  /** Worth of an equal word, a synonym, a word of the kind; the word itself is worth 1. */
  readonly equal: number;
  readonly synonym: number;
  readonly kind: number;
  /**
   * Worth of a word with similar spelling; and if the question's word has no occurrences, as with a
   * typing error.
   */
  readonly alike: number;
  readonly misspelt: number;
  /** Least share of common trigrams for similar spelling. */
  readonly alikeLeast: number;
  /** Share of the best line relative to the whole chunk. */
  readonly line: number;
  /** Share of a neighbouring line in the score of a line. */
  readonly lineContext: number;
  /** Worth of words by a speaker other than the person asked about. */
  readonly otherSpeaker: number;
  /** The person asked about speaks in the chunk. */
  readonly name: number;
  /** The chunk's day matches the question's. */
  readonly date: number;
  /** Worth of a word in the chunk's date, or in its heading. */
  readonly dateWords: number;
  readonly heading: number;
  /** A line with a number or a time if the question asks for one. */
  readonly answerShape: number;
  /** Cosine of vectors. */
  readonly similarity: number;
  /** Share of its word score that a chunk loses if its best line was already shown. */
  readonly diversity: number;
}

export const RANK_WEIGHTS: RankWeights = {
  k1: 1.2,
  b: 0.5,
  plain: 0.6,
  equal: 0.8,
  synonym: 0.4,
  kind: 0.4,
  alike: 0.2,
  misspelt: 0.5,
  alikeLeast: 0.6,
  line: 1,
  lineContext: 0.2,
  otherSpeaker: 0.5,
  name: 0.6,
  date: 0.4,
  dateWords: 0.5,
  heading: 0.3,
  answerShape: 0.25,
  similarity: 0.3,
  diversity: 0.8,
};

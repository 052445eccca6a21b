/** How much each sign of an answer counts. Found on `bench/memory`, persons left out in turn; see docs/memory.md. */
export interface RankWeights {
  /** BM25: how soon another occurrence of a word adds nothing, and how much long chunks are discounted. */
  readonly k1: number;
  readonly b: number;
  /** Worth of a word that is of the kind asked for, is used for the one asked for, is written alike; the word itself is worth 1. */
  readonly kind: number;
  readonly synonym: number;
  readonly alike: number;
  /** From which share of common trigrams on words are alike. */
  readonly alikeLeast: number;
  /** Share of the best line beside the whole chunk. */
  readonly line: number;
  /** Share of the line before or after in the score of a line. */
  readonly lineContext: number;
  /** Worth of a line that another than the person asked about speaks. */
  readonly otherSpeaker: number;
  /** The person asked about speaks in the chunk. */
  readonly name: number;
  /** The chunk's day is the one asked about. */
  readonly date: number;
  /** Worth of a word that stands in the chunk's date, or in its heading. */
  readonly dateWords: number;
  readonly heading: number;
  /** A line that has a number or a time where one is asked for. */
  readonly answerShape: number;
  /** Share of the better chunk beside it. */
  readonly neighbour: number;
  /** Cosine of vectors. */
  readonly similarity: number;
  /** How much of its best line a chunk loses that another has shown. */
  readonly diversity: number;
}

export const RANK_WEIGHTS: RankWeights = {
  k1: 1.2,
  b: 0.3,
  kind: 0.35,
  synonym: 0.35,
  alike: 0.2,
  alikeLeast: 0.6,
  line: 0.5,
  lineContext: 0.2,
  otherSpeaker: 0.6,
  name: 0.8,
  date: 0.4,
  dateWords: 0.5,
  heading: 0.3,
  answerShape: 0.15,
  neighbour: 0.05,
  similarity: 0.3,
  diversity: 0.5,
};

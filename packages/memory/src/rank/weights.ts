/** How much each sign of an answer counts. Rounded values where each person's best weights lie, fitted without that person; see docs/memory.md. */
export interface RankWeights {
  /** BM25: how soon another occurrence of a word adds nothing, and how much long chunks are discounted. */
  readonly k1: number;
  readonly b: number;
  /** Worth of a word that English uses all the time, beside another that is as rare. */
  readonly plain: number;
  /** Worth of a word that says the same, is used for the one asked for, is of the kind asked for; the word itself is worth 1. */
  readonly equal: number;
  readonly synonym: number;
  readonly kind: number;
  /** Worth of a word that is written alike; and where the one asked for stands nowhere, as with a slip of the pen. */
  readonly alike: number;
  readonly misspelt: number;
  /** From which share of common trigrams on words are alike. */
  readonly alikeLeast: number;
  /** Share of the best line beside the whole chunk. */
  readonly line: number;
  /** Share of the line before or after in the score of a line. */
  readonly lineContext: number;
  /** Worth of what another than the person asked about says. */
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
  /** Cosine of vectors. */
  readonly similarity: number;
  /** How much of the worth of its words a chunk loses whose best line another has shown. */
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

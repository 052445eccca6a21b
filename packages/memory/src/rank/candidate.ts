/** A chunk that may answer a question. */
export interface Candidate {
  readonly id: number;
  readonly path: string;
  /** Of the chunk in its file, from 0. */
  readonly ordinal: number;
  readonly heading: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly date: string;
  readonly text: string;
  /** The result of `packChunk`, where it is stored. */
  readonly packed?: Uint32Array;
  /** Cosine of the vectors of question and chunk, where there are any. */
  readonly similarity?: number | undefined;
}

/** Statistics of all chunks, including those that are not candidates. */
export interface CorpusStats {
  readonly chunks: number;
  /** Terms of a chunk on average. */
  readonly averageTerms: number;
  /** The number of chunks with a term; see `terms`. */
  documentFrequency(term: string): number;
  /** Terms of the chunks that may have a similar spelling, among others. */
  alike?(term: string): Iterable<string>;
}

/** Larger is better; comparable within one answer only. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

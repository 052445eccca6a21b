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
  /** What `packChunk` makes of it, where that is kept. */
  readonly packed?: Uint32Array;
  /** Cosine of the vectors of question and chunk, where there are any. */
  readonly similarity?: number | undefined;
}

/** What is known of all chunks, also of those that are no candidates. */
export interface CorpusStats {
  readonly chunks: number;
  /** Terms of a chunk on average. */
  readonly averageTerms: number;
  /** In how many chunks a term stands; see `terms`. */
  documentFrequency(term: string): number;
  /** Terms of the chunks that may be written like this one, among others. */
  alike?(term: string): Iterable<string>;
}

/** Larger is better; comparable within one answer only. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** Makes vectors of texts, near each other where texts mean alike. */
export interface Embedder {
  /** Names provider, model and whatever else decides about its vectors: those of another id are never compared with them. */
  readonly id: string;
  /** How many numbers a vector has, as far as is known before the first; what comes counts. */
  readonly dimension: number;
  /**
   * @param texts of chunks, or one query; not empty
   * @returns one vector for each text, in order, all of one length
   * @throws whatever keeps it from that: the index waits and tries again, and words alone answer meanwhile. BulkheadError
   *   with `details.answered` for an answer that can't be used, which may have cost money: then only a few times
   */
  embed(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

/** Makes vectors of texts; texts with similar meaning get near vectors. */
export interface Embedder {
  /**
   * Identifies provider, model and everything else that determines its vectors: those of different
   * ids are never compared.
   */
  readonly id: string;
  /** Expected length of a vector; the actual vectors decide. */
  readonly dimension: number;
  /**
   * @param texts of chunks, or one query; not empty
   * @returns one vector for each text, in order, all of one length
   * @throws any error: the index waits and retries, and words alone answer meanwhile. BulkheadError
   * with `details.answered` for an unusable answer, which may have cost money: then retries are few
   */
  embed(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

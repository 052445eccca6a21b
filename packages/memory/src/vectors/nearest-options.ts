/** Which of the vectors may be found, and how equals are ordered: the same way in every index of the same files. */
export interface NearestOptions {
  readonly count: number;
  allowed(id: number): boolean;
  tie(id: number): number;
}

/** Reads the vector of a chunk from where it is kept for good. */
export type ReadVector = (id: number) => Int8Array | undefined;

/** Up to here a query is compared with every vector; from there on that would take milliseconds. */
export const EXACT_UP_TO = 4_096;

/** Beyond, signs choose this many, which are then compared exactly. */
export const RERANKED = 256;

/** Allowed vectors, and the order of equal ones: the same in every index of the same files. */
export interface NearestOptions {
  readonly count: number;
  allowed(id: number): boolean;
  tie(id: number): number;
}

/** Reads a chunk's vector from permanent storage. */
export type ReadVector = (id: number) => Int8Array | undefined;

/**
 * Up to this number, a query is compared with every vector; beyond it, that would take
 * milliseconds.
 */
export const EXACT_UP_TO = 4_096;

/** Beyond, signs choose this many, which are then compared exactly. */
export const RERANKED = 256;

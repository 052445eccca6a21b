import { ArrayVectors } from './array-vectors.ts';
import type { ReadVector, VectorStore } from './vector-store.ts';

/** The store for vectors of a dimension, empty. */
export function openVectorStore(dimension: number, read: ReadVector): VectorStore {
  return new ArrayVectors(dimension, read);
}

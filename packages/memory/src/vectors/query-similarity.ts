import type { ChunkFacts } from '../chunks/chunk-facts.ts';
import type { ArrayVectors } from './array-vectors.ts';
import { cosine } from './quantise.ts';

/** How near chunks are to one query. */
export class QuerySimilarity {
  readonly #store: ArrayVectors;
  readonly #facts: ChunkFacts;
  readonly #query: Int8Array;

  constructor(store: ArrayVectors, facts: ChunkFacts, query: Int8Array) {
    this.#store = store;
    this.#facts = facts;
    this.#query = query;
  }

  nearest(count: number, allowed: (id: number) => boolean): readonly number[] {
    return this.#store.nearest(this.#query, { count, allowed, tie: (id) => this.#facts.tie(id) });
  }

  /** Cosine, -1 to 1; undefined for a chunk without a vector. */
  of(id: number): number | undefined {
    const vector = this.#store.get(id);
    return vector === undefined ? undefined : cosine(vector, this.#query);
  }
}

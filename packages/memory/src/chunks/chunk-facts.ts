import type { DatabaseSync } from 'node:sqlite';
import type { MemorySource } from '../memory-hit.ts';

/** The facts about a chunk that every search needs. */
export interface ChunkFact {
  readonly id: number;
  /** Its number of terms. */
  readonly terms: number;
  /** Orders equally good chunks in the same way in every index of the same files. */
  readonly tie: number;
  readonly source: MemorySource;
}

/** The effect of a transaction, for updating memory. */
export interface IndexChange {
  readonly written: readonly ChunkFact[];
  readonly removed: readonly number[];
}

const SOURCES: readonly MemorySource[] = ['memory', 'daily', 'heartbeat', 'agents', 'knowledge', 'session'];
const FIRST_CAPACITY = 1_024;

/**
 * Facts about all chunks by id, in memory: 13 bytes each. Ids are small numbers, so arrays hold
 * them.
 */
export class ChunkFacts {
  #count = 0;
  #sum = 0;
  #end = 1;
  /** 0: no such chunk; else its number of terms plus one. */
  #terms = new Uint32Array(FIRST_CAPACITY);
  #ties = new Float64Array(FIRST_CAPACITY);
  #sources = new Uint8Array(FIRST_CAPACITY);

  static read(database: DatabaseSync): ChunkFacts {
    const facts = new ChunkFacts();
    const rows = database
      .prepare('SELECT c.id, c.terms, c.tie, f.source FROM chunks c JOIN files f ON f.id = c.file')
      .iterate();
    for (const { id, terms, tie, source } of rows) {
      const known = SOURCES.find((one) => one === source);
      if (known !== undefined)
        facts.set({ id: Number(id), terms: Number(terms), tie: Number(tie), source: known });
    }
    return facts;
  }

  get count(): number {
    return this.#count;
  }

  /** Mean number of terms; 0 without chunks. */
  get averageTerms(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** One more than the largest id. */
  get end(): number {
    return this.#end;
  }

  *ids(): Generator<number> {
    for (let id = 1; id < this.#end; id += 1) if (this.has(id)) yield id;
  }

  has(id: number): boolean {
    return (this.#terms[id] ?? 0) !== 0;
  }

  terms(id: number): number {
    return Math.max(0, (this.#terms[id] ?? 0) - 1);
  }

  tie(id: number): number {
    return this.#ties[id] ?? 0;
  }

  /** Returns a test whether a chunk comes from one of these sources. */
  filter(sources: readonly MemorySource[] | undefined): (id: number) => boolean {
    if (sources === undefined) return (id) => this.has(id);
    const wanted = SOURCES.map((source) => sources.includes(source));
    return (id) => this.has(id) && wanted[this.#sources[id] ?? 0] === true;
  }

  set({ id, terms, tie, source }: ChunkFact): void {
    this.delete(id);
    this.#grow(id + 1);
    this.#terms[id] = terms + 1;
    this.#ties[id] = tie;
    this.#sources[id] = SOURCES.indexOf(source);
    this.#count += 1;
    this.#sum += terms;
    this.#end = Math.max(this.#end, id + 1);
  }

  delete(id: number): void {
    if (!this.has(id)) return;
    this.#sum -= this.terms(id);
    this.#count -= 1;
    this.#terms[id] = 0;
  }

  #grow(capacity: number): void {
    if (capacity <= this.#terms.length) return;
    const next = Math.max(capacity, 2 * this.#terms.length);
    const [terms, ties, sources] = [this.#terms, this.#ties, this.#sources];
    this.#terms = new Uint32Array(next);
    this.#terms.set(terms);
    this.#ties = new Float64Array(next);
    this.#ties.set(ties);
    this.#sources = new Uint8Array(next);
    this.#sources.set(sources);
  }
}

import type { DatabaseSync } from 'node:sqlite';
import { ChunkFacts, type IndexChange } from '../chunks/chunk-facts.ts';
import type { CorpusStats } from '../rank/candidate.ts';
import { Ranker } from '../rank/ranker.ts';
import type { RankWeights } from '../rank/weights.ts';
import { CandidateChooser } from './choose-candidates.ts';
import { ChunkReader } from './chunk-reader.ts';
import { RANK_ALL } from './rank-all.ts';
import { WordPostings } from './word-postings.ts';
import { wordToken } from './word-tokens.ts';

/** Data for searches, with its cache in memory; follows every change, also by another process. */
export class IndexReader {
  readonly #database: DatabaseSync;
  readonly postings: WordPostings;
  /** Caches by object identity of `chunks`, so it needs no notification of changes. */
  readonly ranker: Ranker;
  #facts: ChunkFacts | undefined;
  #inOrder: readonly number[] | undefined;
  #chunks: ChunkReader;
  #chooser: CandidateChooser | undefined;
  #dataVersion: number;

  constructor(database: DatabaseSync, weights: RankWeights) {
    this.ranker = new Ranker(weights);
    this.#database = database;
    this.postings = new WordPostings(database);
    this.#chunks = new ChunkReader(database);
    this.#dataVersion = this.#readDataVersion();
  }

  /** Read at the first search: an unused index keeps nothing in memory. */
  get facts(): ChunkFacts {
    this.#facts ??= ChunkFacts.read(this.#database);
    return this.#facts;
  }

  /** All chunks, in an order that is the same in every index of the same files; ids are not. */
  get inOrder(): readonly number[] {
    const { facts } = this;
    this.#inOrder ??= [...facts.ids()].sort((a, b) => facts.tie(a) - facts.tie(b));
    return this.#inOrder;
  }

  get chunks(): ChunkReader {
    return this.#chunks;
  }

  get chooser(): CandidateChooser {
    this.#chooser ??= new CandidateChooser(this.facts, this.postings);
    return this.#chooser;
  }

  /** BM25's weight of a term: higher for rarer terms. */
  weight(term: string): number {
    const frequency = this.postings.frequency(wordToken(term));
    return Math.log(1 + (this.facts.count - frequency + 0.5) / (frequency + 0.5));
  }

  stats(): CorpusStats {
    const { count, averageTerms } = this.facts;
    return {
      chunks: count,
      averageTerms,
      documentFrequency: (term) => this.postings.frequency(wordToken(term)),
      alike: (term) => this.#alike(wordToken(term)),
    };
  }

  /**
   * In a large memory only for a word without occurrences: the cost of each grows with the memory.
   */
  #alike(token: string): readonly string[] {
    const worthIt = this.facts.count <= RANK_ALL || this.postings.frequency(token) === 0;
    return worthIt ? this.postings.beginningLike(token) : [];
  }

  /**
   * @returns true if another process changed the index since the last call: caches are then invalid
   */
  refresh(): boolean {
    const version = this.#readDataVersion();
    if (version === this.#dataVersion) return false;
    this.#dataVersion = version;
    this.forgetAll();
    return true;
  }

  forgetAll(): void {
    this.#facts = undefined;
    this.#inOrder = undefined;
    this.#chooser = undefined;
    this.#chunks = new ChunkReader(this.#database);
    this.postings.forget();
  }

  apply({ written, removed }: IndexChange): void {
    this.#inOrder = undefined;
    for (const id of removed) {
      this.#facts?.delete(id);
      this.#chunks.forget(id);
    }
    for (const fact of written) {
      this.#facts?.set(fact);
      this.#chunks.forget(fact.id);
    }
    this.postings.forget();
  }

  #readDataVersion(): number {
    return Number(this.#database.prepare('PRAGMA data_version').get()?.['data_version']);
  }
}

import type { DatabaseSync } from 'node:sqlite';
import {
  BulkheadError,
  type Clock,
  describeError,
  systemClock,
  systemTimers,
  type Timers,
} from '@bulkhead/protocol';
import type { IndexChange } from '../chunks/chunk-facts.ts';
import type { MemoryHit } from '../memory-hit.ts';
import { type MemoryNotice, type Notices, onceEach } from '../notice.ts';
import { RANK_WEIGHTS, type RankWeights } from '../rank/weights.ts';
import { saysDamaged } from '../sqlite-error.ts';
import { TermReader } from '../text/term-reader.ts';
import { ChunkVectors, type Embedder, ownTextEmbedder, QuerySimilarity } from '../vectors/index.ts';
import { IndexReader } from './index-reader.ts';
import { IndexWriter } from './index-writer.ts';
import type { MemoryText } from './memory-text.ts';
import { deleteDatabase, openDatabase } from './open-database.ts';
import { RANK_ALL } from './rank-all.ts';
import { boundedQuery, searchIndex } from './search-index.ts';
import type { SearchOptions } from './search-options.ts';
import { type SyncOptions, type SyncReport, syncTexts } from './sync-texts.ts';

/** Options for opening an index. */
export interface MemoryIndexOptions {
  /**
   * Path of the database, in an existing private folder. Created, or replaced if it is not ours.
   */
  readonly path: string;
  /** Called once for each thing a person should know; must not throw. */
  readonly onNotice: (notice: MemoryNotice) => void;
  /**
   * Makes the vectors, in the background. Default: vectors from the user's own text, made within
   * the sync.
   */
  readonly embedder?: Embedder;
  readonly clock?: Clock;
  readonly timers?: Timers;
  /** The weight of each sign of an answer; for measuring other choices. */
  readonly weights?: RankWeights;
  /** Most bytes of a text that are indexed. Default: 16 MiB. */
  readonly textCap?: number;
}

/** The size of an index. */
export interface IndexSize {
  readonly texts: number;
  readonly chunks: number;
  /** Chunks without a vector yet. */
  readonly waiting: number;
}

/** The search over a person's texts: a view of them that can be deleted at any time. */
export interface MemoryIndex extends AsyncDisposable {
  /**
   * Updates the index; syncs run one after the other. @throws BulkheadError `store_failed`; the
   * signal's reason
   */
  sync(texts: readonly MemoryText[], options?: SyncOptions): Promise<SyncReport>;
  /**
   * Returns hits, nearest first. Also answers during a sync. @throws BulkheadError `store_failed`;
   * the signal's reason
   */
  search(query: string, options: SearchOptions): Promise<readonly MemoryHit[]>;
  size(): Promise<IndexSize>;
  /** Forgets all texts; the next sync reads each again. */
  clear(): Promise<void>;
}

const DEFAULT_CAP = 16 * 1024 * 1024;
/** Milliseconds that a query's vector may take. */
const VECTOR_WITHIN = 2_000;

interface Opened {
  readonly database: DatabaseSync;
  readonly reader: IndexReader;
  readonly writer: IndexWriter;
  readonly vectors: ChunkVectors;
}

/**
 * Opens the index in this thread. Work of more than a few milliseconds yields in between.
 * @throws BulkheadError `store_failed` without space or permission
 */
export function openMemoryIndex(options: MemoryIndexOptions): MemoryIndex {
  return new OpenIndex(options);
}

class OpenIndex implements MemoryIndex {
  readonly #path: string;
  readonly #embedder: Embedder | undefined;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #weights: RankWeights;
  readonly #terms = new TermReader();
  readonly #textCap: number;
  readonly #notices: Notices;
  #opened: Opened;
  /** The texts at the last sync, used to rebuild a damaged index. */
  #latest: { readonly texts: readonly MemoryText[]; readonly options: SyncOptions }[] = [];
  #work: Promise<unknown> = Promise.resolve();

  constructor({ path, onNotice, embedder, clock, timers, textCap, weights }: MemoryIndexOptions) {
    this.#path = path;
    this.#embedder = embedder;
    this.#clock = clock ?? systemClock;
    this.#timers = timers ?? systemTimers;
    this.#textCap = textCap ?? DEFAULT_CAP;
    this.#weights = weights ?? RANK_WEIGHTS;
    this.#notices = onceEach(onNotice);
    this.#opened = this.#open();
  }

  async sync(texts: readonly MemoryText[], options: SyncOptions = {}): Promise<SyncReport> {
    return await this.#inTurn(async () => {
      this.#remember(texts, options);
      return await this.#mended(() => this.#sync(texts, options));
    });
  }

  async search(query: string, options: SearchOptions): Promise<readonly MemoryHit[]> {
    options.signal?.throwIfAborted();
    try {
      return await this.#search(query, options);
    } catch (error) {
      if (!saysDamaged(error)) throw failed(this.#path, error);
    }
    return await this.#inTurn(() => this.#mended(() => this.#search(query, options)));
  }

  async size(): Promise<IndexSize> {
    const count = (table: string) =>
      Number(this.#opened.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
    return { texts: count('files'), chunks: count('chunks'), waiting: this.#opened.vectors.waiting };
  }

  async clear(): Promise<void> {
    await this.#inTurn(() =>
      this.#mended(async () => {
        this.#opened.writer.clear();
        this.#opened.reader.forgetAll();
        this.#opened.vectors.forgetAll();
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#work;
    this.#opened.vectors[Symbol.dispose]();
    if (this.#opened.database.isOpen) this.#opened.database.close();
  }

  async #search(query: string, options: SearchOptions): Promise<readonly MemoryHit[]> {
    this.#refresh();
    const vector = await this.#opened.vectors.ofQuery(
      boundedQuery(query),
      options.vectorWithin ?? VECTOR_WITHIN,
    );
    options.signal?.throwIfAborted();
    const { reader, vectors } = this.#opened;
    const similarity =
      vector === undefined ? undefined : new QuerySimilarity(vectors.store, reader.facts, vector);
    return searchIndex(reader, query, similarity, options);
  }

  async #sync(texts: readonly MemoryText[], options: SyncOptions): Promise<SyncReport> {
    this.#refresh();
    const { reader, vectors, writer } = this.#opened;
    const onChange = (change: IndexChange) => {
      reader.apply(change);
      vectors.apply(change);
    };
    const ports = {
      writer,
      onChange,
      notices: this.#notices,
      clock: this.#clock,
      terms: this.#terms,
      textCap: this.#textCap,
    };
    const report = await syncTexts(ports, texts, options);
    const made = vectors.catchUp();
    if (this.#embedder === undefined) await made;
    // The next search or sync reports the background work's database errors.
    else made.catch(() => undefined);
    return report;
  }

  #refresh(): void {
    if (this.#opened.reader.refresh()) this.#opened.vectors.forgetAll();
  }

  /** Repeats work on a new index if SQLite reports that this one is damaged. */
  async #mended<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!saysDamaged(error)) throw failed(this.#path, error);
    }
    try {
      await this.#makeAnew();
      return await work();
    } catch (error) {
      throw failed(this.#path, error);
    }
  }

  async #makeAnew(): Promise<void> {
    this.#opened.vectors[Symbol.dispose]();
    this.#opened.database.close();
    deleteDatabase(this.#path);
    this.#opened = this.#open();
    this.#notices.tell({
      code: 'index_rebuilt',
      path: '',
      text: `The memory index in ${this.#path} is damaged. It was made anew from the files; nothing else is lost.`,
    });
    for (const { texts, options } of this.#latest) await this.#sync(texts, { ...options });
  }

  /** One set of texts for each set of sources. */
  #remember(texts: readonly MemoryText[], { sources }: SyncOptions): void {
    const key = (list: SyncOptions['sources']) => list?.toSorted().join() ?? '';
    this.#latest = this.#latest.filter(({ options }) => key(options.sources) !== key(sources));
    this.#latest.push({ texts, options: sources === undefined ? {} : { sources } });
  }

  #open(): Opened {
    const database = openDatabase(this.#path, this.#notices);
    const reader = new IndexReader(database, this.#weights);
    const vectors = new ChunkVectors({
      database,
      embedder: this.#embedder ?? ownTextEmbedder((term) => reader.weight(term)),
      notices: this.#notices,
      clock: this.#clock,
      timers: this.#timers,
      facts: () => reader.facts,
      ...(this.#embedder === undefined ? { mostChunks: RANK_ALL } : {}),
    });
    return { database, reader, writer: new IndexWriter(database, this.#terms), vectors };
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#work.then(work);
    this.#work = turn.catch(() => undefined);
    return await turn;
  }
}

/** Returns a cancellation or one of our errors unchanged. */
function failed(path: string, error: unknown): unknown {
  const isSqlite = error instanceof Error && 'errcode' in error;
  if (!isSqlite) return error;
  return new BulkheadError('store_failed', `the memory index in ${path} failed: ${describeError(error)}`, {
    cause: error,
    fix: 'Make room on the disk, or delete the index: it is made anew from the files',
  });
}

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type Clock, describeError, type Timers } from '@bulkhead/protocol';
import type { ChunkFacts, IndexChange } from '../chunks/chunk-facts.ts';
import type { Notices } from '../notice.ts';
import { saysDamaged } from '../sqlite-error.ts';
import { ArrayVectors } from './array-vectors.ts';
import { BackOff } from './back-off.ts';
import { checkedVectors } from './checked-vectors.ts';
import type { Embedder } from './embedder.ts';
import { UnusableAnswers } from './unusable-answers.ts';
import { type ChunkToEmbed, VectorCache } from './vector-cache.ts';

/** Options for making and storing vectors. */
export interface ChunkVectorsOptions {
  readonly database: DatabaseSync;
  readonly embedder: Embedder;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly timers: Timers;
  /** A memory of more chunks has no vectors. Default: no limit. */
  readonly mostChunks?: number;
  /** Of all chunks. */
  facts(): ChunkFacts;
}

/** Texts in one request to an embedder. */
const BATCH = 64;
/** Milliseconds that one request may take. */
const REQUEST_TIMEOUT = 60_000;

/**
 * The vectors of all chunks: made in batches, stored by the chunk's words, never of two embedders.
 */
export class ChunkVectors implements Disposable {
  readonly #options: ChunkVectorsOptions;
  readonly #cache: VectorCache;
  readonly #backOff: BackOff;
  readonly #end = new AbortController();
  readonly #pending = new Set<number>();
  readonly #unusable = new UnusableAnswers();
  #store: ArrayVectors | undefined;
  #running: Promise<void> | undefined;
  #retry: Disposable | undefined;

  constructor(options: ChunkVectorsOptions) {
    this.#options = options;
    this.#backOff = new BackOff(options.clock);
    this.#cache = new VectorCache(options.database);
    this.#cache.use(options.embedder.id, options.embedder.dimension);
  }

  /** Chunks known to lack a vector. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Read at the first use. */
  get store(): ArrayVectors {
    this.#store ??= this.#load();
    return this.#store;
  }

  /** Follows a change of the index. */
  apply({ written, removed }: IndexChange): void {
    if (this.#store === undefined) return;
    if (this.#tooMany) {
      this.forgetAll();
      return;
    }
    for (const id of removed) {
      this.#store.delete(id);
      this.#pending.delete(id);
    }
    for (const { id } of written) this.#place(this.#store, id);
  }

  /** Reads everything again: another process changed the index, or it was emptied. */
  forgetAll(): void {
    this.#store?.[Symbol.dispose]();
    this.#store = undefined;
    this.#pending.clear();
  }

  /**
   * Makes missing vectors, one run at a time; reports a failure once and retries automatically.
   * @throws database errors
   */
  async catchUp(): Promise<void> {
    this.#running ??= this.#catchUp().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  /**
   * @param within milliseconds
   * @returns undefined if there is none in time: then words alone answer
   * @throws database errors
   */
  async ofQuery(text: string, within: number): Promise<Int8Array | undefined> {
    if (this.#tooMany || this.#backOff.wait > 0) return undefined;
    if (this.store.size === 0 || text.trim() === '') return undefined;
    const late = new AbortController();
    using _limit = this.#options.timers.after(within, () => late.abort());
    try {
      const [vector] = await this.#embed([text], 'query', late.signal);
      return vector?.length === this.#cache.dimension ? vector : undefined;
    } catch (error) {
      if (saysDamaged(error)) throw error;
      if (!late.signal.aborted) this.#fail(error);
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#retry?.[Symbol.dispose]();
    this.forgetAll();
  }

  get #tooMany(): boolean {
    const { mostChunks, facts } = this.#options;
    return mostChunks !== undefined && facts().count > mostChunks;
  }

  async #catchUp(): Promise<void> {
    if (this.#tooMany) {
      this.forgetAll();
      return;
    }
    void this.store;
    while (this.#pending.size > 0 && !this.#end.signal.aborted) {
      if (this.#backOff.wait > 0) return this.#tryLater();
      if (!(await this.#embedBatch())) return this.#tryLater();
      await setImmediate();
    }
    if (!this.#end.signal.aborted) this.#cache.prune(this.#options.facts().count);
  }

  /** @returns false if it has to wait */
  async #embedBatch(): Promise<boolean> {
    const batch = this.#nextBatch();
    if (batch.length === 0) return true;
    const vectors = await this.#embedded(batch);
    if (this.#end.signal.aborted || vectors === undefined) return false;
    const changed = this.#useDimension(vectors[0]?.length ?? 0);
    this.#unusable.forget(batch.map(keyOf));
    this.#cache.put(
      batch.flatMap(({ key }, at) => (vectors[at] === undefined ? [] : [{ key, vector: vectors[at] }])),
    );
    // By id again: chunks may have changed meanwhile, and several may have the same words.
    for (const { id } of batch) this.#place(this.store, id);
    // A server with changing dimensions would otherwise get the same requests endlessly.
    if (changed) this.#backOff.fail();
    else this.#backOff.succeed();
    this.#options.notices.forget('embedder_failed', '');
    return true;
  }

  async #embedded(batch: readonly ChunkToEmbed[]): Promise<readonly Int8Array[] | undefined> {
    try {
      const texts = batch.map(({ text }) => text);
      return await this.#embed(texts, 'document', AbortSignal.timeout(REQUEST_TIMEOUT));
    } catch (error) {
      if (saysDamaged(error)) throw error;
      if (this.#end.signal.aborted) return undefined;
      if (this.#unusable.note(error, batch.map(keyOf))) this.#toTheEnd(batch);
      this.#fail(error);
      return undefined;
    }
  }

  /** Moves texts that may have caused a bad answer to the end, so that others don't wait. */
  #toTheEnd(batch: readonly ChunkToEmbed[]): void {
    for (const { id } of batch) {
      this.#pending.delete(id);
      this.#pending.add(id);
    }
  }

  /**
   * Checks each waiting chunk at most twice: those whose words have a vector by now are removed.
   */
  #nextBatch(): readonly ChunkToEmbed[] {
    const batch = new Map<string, ChunkToEmbed>();
    for (const id of this.#pending) {
      if (batch.size >= BATCH) break;
      this.#place(this.store, id);
      const chunk = this.#pending.has(id) ? this.#cache.toEmbed(id) : undefined;
      if (chunk === undefined || this.#unusable.isGivenUp(keyOf(chunk))) this.#pending.delete(id);
      else if (!this.#unusable.isSuspect(keyOf(chunk))) batch.set(keyOf(chunk), chunk);
      // Alone; the chunks after it are also suspect, or new.
      else return batch.size === 0 ? [chunk] : [...batch.values()];
    }
    return [...batch.values()];
  }

  async #embed(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Int8Array[]> {
    const either = AbortSignal.any([signal, this.#end.signal]);
    const given = await unlessAborted(this.#options.embedder.embed(texts, purpose, either), either);
    return checkedVectors(given, texts.length);
  }

  /** Another length means another embedder: drops its vectors. @returns true if there were any */
  #useDimension(dimension: number): boolean {
    const before = this.#cache.dimension;
    if (dimension === before) return false;
    this.#cache.use(this.#options.embedder.id, dimension);
    this.forgetAll();
    if (before === 0) return false;
    this.#options.notices.tell({
      code: 'embedder_changed',
      path: '',
      text: `${this.#options.embedder.id} gave vectors of ${dimension} numbers instead of ${before}. Memory makes all of them again.`,
    });
    return true;
  }

  /** Into the store if it has a vector, else to the waiting ones. */
  #place(store: ArrayVectors, id: number): void {
    const vector = this.#cache.ofChunk(id);
    if (vector === undefined) {
      store.delete(id);
      this.#pending.add(id);
      return;
    }
    store.set(id, vector);
    this.#pending.delete(id);
  }

  #load(): ArrayVectors {
    const store = new ArrayVectors(this.#cache.dimension, (id) => this.#cache.ofChunk(id));
    for (const [id, vector] of this.#cache.all()) store.set(id, vector);
    for (const id of this.#options.facts().ids()) if (!store.has(id)) this.#pending.add(id);
    return store;
  }

  #fail(error: unknown): void {
    this.#backOff.fail();
    this.#options.notices.tell({
      code: 'embedder_failed',
      path: '',
      text: `Memory has no vectors from ${this.#options.embedder.id} (${describeError(error)}). It goes on with words alone and tries again.`,
    });
  }

  #tryLater(): void {
    this.#retry?.[Symbol.dispose]();
    if (this.#end.signal.aborted) return;
    this.#retry = this.#options.timers.after(Math.max(1, this.#backOff.wait), () => {
      // The next search or sync reports database errors.
      void this.catchUp().catch(() => undefined);
    });
  }
}

/** The key of a chunk's words, as text. */
function keyOf({ key }: ChunkToEmbed): string {
  return Buffer.from(key).toString('hex');
}

/** Limits the wait for an embedder that ignores its signal. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

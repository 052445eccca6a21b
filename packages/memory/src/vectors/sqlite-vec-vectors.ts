import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { nearestOf } from './nearest-of.ts';
import { signBits } from './quantise.ts';
import {
  EXACT_UP_TO,
  type NearestOptions,
  RERANKED,
  type ReadVector,
  type VectorStore,
} from './vector-store.ts';

/** Most that sqlite-vec finds at once. */
const MOST_FOUND = 4_096;

/**
 * Vectors in a temporary database of `sqlite-vec`: slower than arrays (measured, docs/memory.md), and next to nothing in memory. SQLite deletes
 * its file when it is closed.
 *
 * @param exactUpTo for tests
 * @returns undefined where the extension doesn't load
 */
export function openSqliteVec(
  dimension: number,
  read: ReadVector,
  exactUpTo = EXACT_UP_TO,
): VectorStore | undefined {
  const extension = extensionPath();
  if (extension === undefined) return undefined;
  const database = new DatabaseSync('', { allowExtension: true });
  try {
    database.loadExtension(extension);
    database.enableLoadExtension(false);
    const padded = Math.ceil(dimension / 32) * 32;
    database.exec(
      `CREATE VIRTUAL TABLE whole USING vec0 (vector int8[${dimension}] distance_metric=cosine);
       CREATE VIRTUAL TABLE signs USING vec0 (vector bit[${padded}])`,
    );
    return new SqliteVecVectors(database, read, exactUpTo);
  } catch {
    database.close();
    return undefined;
  }
}

function extensionPath(): string | undefined {
  const ending = { linux: 'so', darwin: 'dylib', win32: 'dll' }[String(platform)];
  const system = platform === 'win32' ? 'windows' : platform;
  try {
    return createRequire(import.meta.url).resolve(`sqlite-vec-${system}-${arch}/vec0.${ending}`);
  } catch {
    return undefined;
  }
}

class SqliteVecVectors implements VectorStore {
  readonly #database: DatabaseSync;
  readonly #read: ReadVector;
  readonly #exactUpTo: number;
  readonly #ids = new Set<number>();

  constructor(database: DatabaseSync, read: ReadVector, exactUpTo: number) {
    this.#database = database;
    this.#read = read;
    this.#exactUpTo = exactUpTo;
  }

  get size(): number {
    return this.#ids.size;
  }

  set(id: number, vector: Int8Array): void {
    this.delete(id);
    this.#ids.add(id);
    this.#insert('whole', 'vec_int8', id, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
    this.#insert('signs', 'vec_bit', id, new Uint8Array(signBits(vector).buffer));
  }

  delete(id: number): void {
    if (!this.#ids.delete(id)) return;
    for (const table of ['whole', 'signs']) {
      this.#database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(BigInt(id));
    }
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  get(id: number): Int8Array | undefined {
    return this.#ids.has(id) ? this.#read(id) : undefined;
  }

  nearest(query: Int8Array, options: NearestOptions): readonly number[] {
    const exact = this.#ids.size <= this.#exactUpTo;
    const bytes = exact
      ? new Uint8Array(query.buffer, query.byteOffset, query.length)
      : new Uint8Array(signBits(query).buffer);
    const found = exact ? this.#find('whole', 'vec_int8', bytes) : this.#find('signs', 'vec_bit', bytes);
    const candidates = found.filter(({ id }) => options.allowed(id));
    candidates.sort((a, b) => a.distance - b.distance || options.tie(a.id) - options.tie(b.id));
    const reranked = candidates.slice(0, Math.max(RERANKED, options.count)).map(({ id }) => id);
    return nearestOf(reranked, query, this.#read, options);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #insert(table: string, type: string, id: number, bytes: Uint8Array): void {
    this.#database
      .prepare(`INSERT INTO ${table} (rowid, vector) VALUES (?, ${type}(?))`)
      .run(BigInt(id), bytes);
  }

  #find(
    table: string,
    type: string,
    bytes: Uint8Array,
  ): { readonly id: number; readonly distance: number }[] {
    return this.#database
      .prepare(
        `SELECT rowid AS id, distance FROM ${table} WHERE vector MATCH ${type}(?) AND k = ${MOST_FOUND}`,
      )
      .all(bytes)
      .map(({ id, distance }) => ({ id: Number(id), distance: Number(distance) }));
  }
}

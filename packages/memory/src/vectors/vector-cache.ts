import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A chunk that has no vector yet. */
export interface ChunkToEmbed {
  readonly id: number;
  readonly key: Uint8Array;
  readonly text: string;
}

/**
 * Stores vectors on the disk by the key of a chunk's words, of one embedder at a time: a text that
 * returns still has its vector.
 */
export class VectorCache {
  readonly #database: DatabaseSync;
  readonly #ofChunk: StatementSync;
  readonly #toEmbed: StatementSync;
  #embedder = 0;
  #dimension = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#ofChunk = database.prepare(
      'SELECT v.value FROM chunks c JOIN vectors v ON v.embedder = ? AND v.key = c.key WHERE c.id = ?',
    );
    this.#toEmbed = database.prepare(
      'SELECT c.key, c.heading, t.text FROM chunks c JOIN texts t ON t.id = c.id WHERE c.id = ?',
    );
  }

  /** Dimension of the stored vectors; 0 before the first. */
  get dimension(): number {
    return this.#dimension;
  }

  /** Switches to this embedder; drops vectors of any other, unless its dimension is 0, unknown. */
  use(name: string, dimension: number): void {
    const known = this.#database.prepare('SELECT id, dimension FROM embedders WHERE name = ?').get(name);
    const size = dimension === 0 ? Number(known?.['dimension'] ?? 0) : dimension;
    if (known === undefined || Number(known['dimension']) !== size) this.#begin(name, size);
    const row = this.#database.prepare('SELECT id, dimension FROM embedders WHERE name = ?').get(name);
    this.#embedder = Number(row?.['id']);
    this.#dimension = size;
    this.#database.prepare('DELETE FROM vectors WHERE embedder <> ?').run(this.#embedder);
    this.#database.prepare('DELETE FROM embedders WHERE id <> ?').run(this.#embedder);
  }

  #begin(name: string, dimension: number): void {
    this.#database.exec('DELETE FROM vectors');
    this.#database
      .prepare(
        'INSERT INTO embedders (name, dimension) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension',
      )
      .run(name, dimension);
  }

  ofChunk(id: number): Int8Array | undefined {
    return vectorOf(this.#ofChunk.get(this.#embedder, id)?.['value'], this.#dimension);
  }

  /** All vectors of chunks, by id. */
  *all(): Generator<readonly [number, Int8Array]> {
    const rows = this.#database
      .prepare('SELECT c.id, v.value FROM chunks c JOIN vectors v ON v.embedder = ? AND v.key = c.key')
      .iterate(this.#embedder);
    for (const { id, value } of rows) {
      const vector = vectorOf(value, this.#dimension);
      if (vector !== undefined) yield [Number(id), vector];
    }
  }

  toEmbed(id: number): ChunkToEmbed | undefined {
    const row = this.#toEmbed.get(id);
    const key = row?.['key'];
    if (row === undefined || !(key instanceof Uint8Array)) return undefined;
    return { id, key, text: `${String(row['heading'])}\n${String(row['text'])}`.trim() };
  }

  put(vectors: readonly { readonly key: Uint8Array; readonly vector: Int8Array }[]): void {
    const insert = this.#database.prepare(
      'INSERT OR REPLACE INTO vectors (embedder, key, value) VALUES (?, ?, ?)',
    );
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { key, vector } of vectors) {
        insert.run(this.#embedder, key, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Drops vectors without a chunk, once there are as many as chunks. */
  prune(chunks: number): void {
    const kept = Number(this.#database.prepare('SELECT count(*) AS n FROM vectors').get()?.['n']);
    if (kept > 2 * chunks + 1_000) {
      this.#database.exec('DELETE FROM vectors WHERE key NOT IN (SELECT key FROM chunks)');
    }
  }
}

/** A vector of another dimension is invalid. */
function vectorOf(value: unknown, dimension: number): Int8Array | undefined {
  if (!(value instanceof Uint8Array) || value.length !== dimension) return undefined;
  return new Int8Array(value.buffer, value.byteOffset, value.length);
}

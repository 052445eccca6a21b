import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChunkFact, IndexChange } from '../chunks/chunk-facts.ts';
import { packChunk } from '../rank/packed-chunk.ts';
import type { TermReader } from '../text/term-reader.ts';
import type { PreparedChunk, PreparedText } from './prepared-text.ts';
import { chunkTokens, tokenCounts } from './word-tokens.ts';

/** A text as the index knows it. */
export interface KnownText {
  readonly source: string;
  readonly version: string;
  readonly hash: Uint8Array;
}

/** Writes texts atomically. Unchanged chunks keep their ids, and cost one update. */
export class IndexWriter {
  readonly #database: DatabaseSync;
  readonly #insertChunk: StatementSync;
  readonly #insertText: StatementSync;
  readonly #insertWords: StatementSync;
  readonly #moveChunk: StatementSync;
  readonly #putFile: StatementSync;
  readonly #setVersion: StatementSync;
  readonly #ofFile: StatementSync;
  readonly #wordsOf: StatementSync;
  readonly #removals: readonly StatementSync[];
  readonly #frequencies: TermFrequencies;
  readonly #terms: TermReader;

  constructor(database: DatabaseSync, terms: TermReader) {
    this.#database = database;
    this.#terms = terms;
    this.#frequencies = new TermFrequencies(database);
    this.#wordsOf = database.prepare(
      'SELECT c.heading, t.text FROM chunks c JOIN texts t ON t.id = c.id WHERE c.id = ?',
    );
    this.#insertChunk = database.prepare(
      `INSERT INTO chunks (file, ordinal, terms, tie, key, heading, date, first_line, last_line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertText = database.prepare('INSERT INTO texts (id, packed, text) VALUES (?, ?, ?)');
    this.#insertWords = database.prepare('INSERT INTO words (rowid, terms) VALUES (?, ?)');
    this.#moveChunk = database.prepare(
      'UPDATE chunks SET ordinal = ?, tie = ?, first_line = ?, last_line = ? WHERE id = ?',
    );
    this.#putFile = database.prepare(
      `INSERT INTO files (path, source, version, hash) VALUES (?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET source = excluded.source, version = excluded.version, hash = excluded.hash
       RETURNING id`,
    );
    this.#setVersion = database.prepare('UPDATE files SET version = ? WHERE path = ?');
    this.#ofFile = database.prepare('SELECT id, lower(hex(key)) AS key FROM chunks WHERE file = ?');
    this.#removals = ['words WHERE rowid', 'texts WHERE id', 'chunks WHERE id'].map((from) =>
      database.prepare(`DELETE FROM ${from} = ?`),
    );
  }

  /** All texts, by path. */
  known(): Map<string, KnownText> {
    const rows = this.#database.prepare('SELECT path, source, version, hash FROM files').iterate();
    const known = new Map<string, KnownText>();
    for (const { path, source, version, hash } of rows) {
      known.set(String(path), {
        source: String(source),
        version: String(version),
        hash: hash instanceof Uint8Array ? hash : new Uint8Array(),
      });
    }
    return known;
  }

  /** Writes these and removes those, in one transaction. */
  write(texts: readonly PreparedText[], removed: readonly string[]): IndexChange {
    const written: ChunkFact[] = [];
    const gone: number[] = [];
    this.#inOne(() => {
      for (const path of removed) gone.push(...this.#removeText(path));
      for (const text of texts) this.#writeText(text, written, gone);
    });
    return { written, removed: gone };
  }

  /** Updates the version of a text with unchanged content. */
  setVersion(path: string, version: string): void {
    this.#setVersion.run(version, path);
  }

  /**
   * Removes all texts. Vectors stay: they may have cost money, and are found again by chunk keys.
   */
  clear(): void {
    this.#inOne(() =>
      this.#database.exec(
        "DELETE FROM files; DELETE FROM chunks; DELETE FROM texts; DELETE FROM frequencies; INSERT INTO words (words) VALUES ('delete-all')",
      ),
    );
  }

  #writeText(text: PreparedText, written: ChunkFact[], gone: number[]): void {
    const file = this.#writeFile(text);
    const before = this.#chunksOf(file);
    for (const chunk of text.chunks) {
      const same = before.get(chunk.key.toString('hex'))?.pop();
      const id = same ?? this.#insert(file, chunk);
      if (same !== undefined) {
        this.#moveChunk.run(chunk.ordinal, chunk.tie, chunk.lines[0], chunk.lines[1], same);
      }
      written.push({ id, terms: chunk.terms, tie: chunk.tie, source: text.source });
    }
    for (const ids of before.values()) for (const id of ids) gone.push(this.#remove(id));
  }

  #writeFile({ path, source, version, hash }: PreparedText): number {
    const row = this.#putFile.get(path, source, version, hash);
    return Number(row?.['id']);
  }

  /** Ids by key. */
  #chunksOf(file: number): Map<string, number[]> {
    const rows = this.#ofFile.all(file);
    const ids = new Map<string, number[]>();
    for (const { id, key } of rows) {
      const same = ids.get(String(key)) ?? [];
      same.push(Number(id));
      ids.set(String(key), same);
    }
    return ids;
  }

  #insert(
    file: number,
    { ordinal, terms, tie, key, heading, date, lines, text, tokens, packed }: PreparedChunk,
  ): number {
    const [first, last] = lines;
    const { lastInsertRowid } = this.#insertChunk.run(
      file,
      ordinal,
      terms,
      tie,
      key,
      heading,
      date,
      first,
      last,
    );
    this.#insertText.run(lastInsertRowid, new Uint8Array(packed.buffer), text);
    this.#insertWords.run(lastInsertRowid, chunkTokens(tokens));
    this.#frequencies.count(tokens.keys(), 1);
    return Number(lastInsertRowid);
  }

  #remove(id: number): number {
    const row = this.#wordsOf.get(id);
    const { terms } = packChunk(
      { heading: String(row?.['heading']), date: '', text: String(row?.['text']) },
      this.#terms,
    );
    this.#frequencies.count(tokenCounts(terms).keys(), -1);
    for (const removal of this.#removals) removal.run(id);
    return id;
  }

  #removeText(path: string): number[] {
    const row = this.#database.prepare('DELETE FROM files WHERE path = ? RETURNING id').get(path);
    if (row === undefined) return [];
    return [...this.#chunksOf(Number(row['id'])).values()].flat().map((id) => this.#remove(id));
  }

  #inOne(change: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#frequencies.write();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#frequencies.forget();
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/**
 * The number of chunks with each term, updated with every change: counting in FTS5 takes
 * milliseconds for a common word of a large memory. Belongs to one transaction at a time.
 */
class TermFrequencies {
  readonly #add: StatementSync;
  readonly #changes = new Map<string, number>();
  readonly #dropped: StatementSync;

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      'INSERT INTO frequencies (token, chunks) VALUES (?1, ?2) ON CONFLICT (token) DO UPDATE SET chunks = chunks + ?2',
    );
    this.#dropped = database.prepare('DELETE FROM frequencies WHERE token = ? AND chunks <= 0');
  }

  /** @param tokens of a chunk, each once; @param by 1 if it is added, -1 if removed */
  count(tokens: Iterable<string>, by: 1 | -1): void {
    for (const token of tokens) this.#changes.set(token, (this.#changes.get(token) ?? 0) + by);
  }

  /** Writes the counts. */
  write(): void {
    for (const [token, by] of this.#changes) {
      if (by === 0) continue;
      this.#add.run(token, by);
      if (by < 0) this.#dropped.run(token);
    }
    this.#changes.clear();
  }

  /** Resets after a failed transaction. */
  forget(): void {
    this.#changes.clear();
  }
}

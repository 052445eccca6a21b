import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MemoryHit, MemorySource } from '../memory-hit.ts';
import type { Candidate } from '../rank/candidate.ts';

/** A chunk as it may become a hit. */
export interface ReadChunk extends Candidate, Omit<MemoryHit, 'score'> {
  readonly packed: Uint32Array;
  /** Of its words. */
  readonly key: string;
  /** To the question at hand. */
  similarity: number | undefined;
}

/**
 * Chunks kept in memory: all of a small memory, so that each chunk's ranking features are computed
 * once.
 */
const MOST_KEPT = 4_096;

/** Reads chunks by id. */
export class ChunkReader {
  readonly #kept = new Map<number, ReadChunk>();
  readonly #read: StatementSync;
  readonly #text: StatementSync;
  readonly #beside: StatementSync;

  constructor(database: DatabaseSync) {
    this.#read = database.prepare(
      `SELECT f.source, f.path, c.ordinal, hex(c.key) AS key, c.heading, c.date, c.first_line, c.last_line, t.packed
       FROM chunks c JOIN files f ON f.id = c.file JOIN texts t ON t.id = c.id WHERE c.id = ?`,
    );
    this.#text = database.prepare('SELECT text FROM texts WHERE id = ?');
    this.#beside = database.prepare(
      `SELECT b.id FROM chunks c JOIN chunks b ON b.file = c.file AND b.ordinal BETWEEN c.ordinal - 1 AND c.ordinal + 1
       WHERE c.id = ? AND b.id <> c.id`,
    );
  }

  /** @returns undefined if there is no such chunk (any more) */
  chunk(id: number): ReadChunk | undefined {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const row = this.#read.get(id);
    if (row === undefined) return undefined;
    const readText = () => String(this.#text.get(id)?.['text'] ?? '');
    let text: string | undefined;
    const read: ReadChunk = {
      id,
      source: sourceOf(row['source']),
      path: String(row['path']),
      ordinal: Number(row['ordinal']),
      key: String(row['key']),
      heading: String(row['heading']),
      date: String(row['date']),
      lines: [Number(row['first_line']), Number(row['last_line'])],
      // Read only for display: ranking does not need it.
      get text() {
        text ??= readText();
        return text;
      },
      packed: packedOf(row['packed']),
      similarity: undefined,
    };
    if (this.#kept.size >= MOST_KEPT) this.#dropOldest();
    this.#kept.set(id, read);
    return read;
  }

  /** Chunks before and after it in its text. */
  neighbours(id: number): readonly number[] {
    return this.#beside.all(id).map((row) => Number(row['id']));
  }

  forget(id: number): void {
    this.#kept.delete(id);
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      this.#kept.delete(id);
      return;
    }
  }
}

function sourceOf(value: unknown): MemorySource {
  switch (value) {
    case 'memory':
    case 'daily':
    case 'heartbeat':
    case 'agents':
    case 'knowledge':
      return value;
    default:
      return 'session';
  }
}

/** A copy: a row's bytes may be unaligned. */
function packedOf(value: unknown): Uint32Array {
  if (!(value instanceof Uint8Array)) return new Uint32Array(0);
  return new Uint32Array(Uint8Array.from(value).buffer, 0, Math.floor(value.length / 4));
}

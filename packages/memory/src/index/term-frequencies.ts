import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * The number of chunks with each term, updated with every change: counting in FTS5 takes
 * milliseconds for a common word of a large memory. Belongs to one transaction at a time.
 */
export class TermFrequencies {
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

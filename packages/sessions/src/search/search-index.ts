import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { matchOf } from './match-words.ts';

/**
 * An index without the text (sqlite.org/fts5.html, 4.4.1): a row is taken out by giving its text again, and
 * `secure-delete` takes its words from the file instead of marking them.
 */
export const SEARCH_SCHEMA = `
CREATE VIRTUAL TABLE search USING fts5(
  text, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
`;

/** Full-text index of messages, each under a number of its owner's, above 0. */
export class SearchIndex {
  readonly #add: StatementSync;
  readonly #remove: StatementSync;
  readonly #optimize: StatementSync;
  readonly #match: StatementSync;

  /** @param database has `SEARCH_SCHEMA` */
  constructor(database: DatabaseSync) {
    this.#add = database.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)');
    this.#remove = database.prepare(`INSERT INTO search (search, rowid, text) VALUES ('delete', ?, ?)`);
    this.#optimize = database.prepare(`INSERT INTO search (search) VALUES ('optimize')`);
    this.#match = database.prepare(
      'SELECT rowid AS id FROM search WHERE search MATCH ? ORDER BY rank, rowid DESC',
    );
  }

  add(id: number, text: string): void {
    this.#add.run(id, text);
  }

  /** @param text exactly what was added under `id` */
  remove(id: number, text: string): void {
    this.#remove.run(id, text);
  }

  /**
   * Writes the index anew, so that not even the beginnings of removed words are left, which it keeps to find its way.
   * An index in one piece would be left as it is: a word under a number of nobody's makes it two.
   */
  rewrite(): void {
    this.add(0, 'x');
    this.#optimize.run();
    this.remove(0, 'x');
  }

  /** Numbers of the messages that hold every word, best first. */
  *match(words: readonly string[]): Generator<number> {
    const match = matchOf(words);
    if (match === undefined) return;
    for (const row of this.#match.iterate(match)) if (typeof row['id'] === 'number') yield row['id'];
  }
}

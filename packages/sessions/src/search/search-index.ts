import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { matchOf } from './match-words.ts';

/**
 * An index without the text (sqlite.org/fts5.html, 4.4.1): removing a row needs its text again, and
 * `secure-delete` erases its words from the file instead of marking them.
 */
export const SEARCH_SCHEMA = `
CREATE VIRTUAL TABLE search USING fts5(
  text, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
`;

/** Full-text index of messages, each under a number from its owner, above 0. */
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

  /** @param text exactly the one added under `id` */
  remove(id: number, text: string): void {
    this.#remove.run(id, text);
  }

  /**
   * Rewrites the index, so that not even prefixes of removed words remain, which it keeps for
   * navigation. An index with a single segment would not be rewritten: adding a word under an
   * unused number makes a second one.
   */
  rewrite(): void {
    this.add(0, 'x');
    this.#optimize.run();
    this.remove(0, 'x');
  }

  /** Numbers of the messages that contain every word, best first. */
  *match(words: readonly string[]): Generator<number> {
    const match = matchOf(words);
    if (match === undefined) return;
    for (const row of this.#match.iterate(match)) if (typeof row['id'] === 'number') yield row['id'];
  }
}

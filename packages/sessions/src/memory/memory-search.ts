import { DatabaseSync } from 'node:sqlite';
import { entryFromRow, type RecordRow } from '../record-row.ts';
import { firstHits } from '../search/first-hits.ts';
import { hitOf } from '../search/hit.ts';
import { wordsOf } from '../search/match-words.ts';
import { SEARCH_SCHEMA, SearchIndex } from '../search/search-index.ts';
import { searchTextOf } from '../search/search-text.ts';
import type { SearchHit } from '../session-store.ts';
import type { MemorySession } from './memory-session.ts';

export interface MemorySearch {
  find(sessions: ReadonlyMap<string, MemorySession>, query: string, limit: number): readonly SearchHit[];
  close(): void;
}

/** The same index as on disk, in a database that stays in memory: even its sorting uses no file. */
export function createMemorySearch(): MemorySearch {
  const database = new DatabaseSync(':memory:');
  database.exec(`PRAGMA temp_store = MEMORY; ${SEARCH_SCHEMA}`);
  const index = new SearchIndex(database);
  const found: RecordRow[] = [];
  const indexed = new Map<string, number>();

  const catchUp = (session: MemorySession): void => {
    for (const row of session.rows.slice(indexed.get(session.id) ?? 0)) {
      const text = row.entry === null ? undefined : searchTextOf(entryFromRow(row).message)?.text;
      if (text !== undefined) index.add(found.push(row), text);
    }
    indexed.set(session.id, session.rows.length);
  };

  return {
    find(sessions, query, limit) {
      for (const session of sessions.values()) catchUp(session);
      const words = wordsOf(query);
      return firstHits(index.match(words), limit, (id) => {
        const row = found[id - 1];
        const session = row === undefined ? undefined : sessions.get(row.sessionId);
        if (row === undefined || session === undefined) return undefined;
        return hitOf(row, session.head.info.title, words);
      });
    },
    close: () => database.close(),
  };
}

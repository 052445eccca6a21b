import { entryFromRow, type RecordRow } from '../record-row.ts';
import type { SearchHit } from '../session-store.ts';
import { searchTextOf } from './search-text.ts';
import { snippetOf } from './snippet.ts';

/** The shown part of a found message; undefined if the row holds none. */
export function hitOf(row: RecordRow, title: string, words: readonly string[]): SearchHit | undefined {
  const { id, time, message } = entryFromRow(row);
  const found = searchTextOf(message);
  if (found === undefined) return undefined;
  const snippet = snippetOf(found.text, words);
  return { session: row.sessionId, title, entry: id, time, role: found.role, snippet };
}

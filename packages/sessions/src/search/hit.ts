import { entryFromRow, type RecordRow } from '../record-row.ts';
import type { SearchHit } from '../session-store.ts';
import { searchTextOf } from './search-text.ts';

/** The shown part of a found message; undefined if the row holds none. */
export function hitOf(row: RecordRow, title: string, words: readonly string[]): SearchHit | undefined {
  const { id, time, message } = entryFromRow(row);
  const found = searchTextOf(message);
  if (found === undefined) return undefined;
  const snippet = snippetOf(found.text, words);
  return { session: row.sessionId, title, entry: id, time, role: found.role, snippet };
}

const LONGEST = 200;
/** Characters shown before the match. */
const LEAD = 60;

/** The surroundings of the first of `words` in `text`, at most 200 characters, on one line. */
function snippetOf(text: string, words: readonly string[]): string {
  const found = words.map((word) => placeOf(text, word)).filter((place) => place >= 0);
  const place = found.length === 0 ? 0 : Math.min(...found);
  const start = place <= LEAD ? 0 : place - LEAD;
  const line = text
    .slice(start, start + 2 * LONGEST)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const shown = `${start > 0 ? '…' : ''}${line}`;
  const cut = shown.length > LONGEST || start + 2 * LONGEST < text.length;
  return cut ? `${shown.slice(0, LONGEST - 1).toWellFormed()}…` : shown.toWellFormed();
}

function placeOf(text: string, word: string): number {
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'iu'));
}

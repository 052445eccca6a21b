import { entryFromRecord } from '../record-row.ts';
import type { Entry, NewRecord, SessionStore } from '../session-store.ts';

/** Up to where the log of a session that was made of a file is the file's word, and nobody else's. */
const IMPORTED_UP_TO = 'imported_up_to';

/** Records among which the note is looked for: what the engine itself puts first, and it. */
const FIRST = 16;

/** @param pos where the last of what was imported will stand */
export function importedNote(time: number, pos: number): NewRecord {
  return { time, turn: '', type: IMPORTED_UP_TO, visible: false, body: { pos } };
}

/**
 * Where in a session's log the words of a file end that it was made of; 0 if it was made of none. All entries up to there are the
 * file's, whatever they call themselves.
 */
export function importedUpTo(store: Pick<SessionStore, 'records'>, sessionId: string): number {
  const note = store.records(sessionId, { pos: 0 }, FIRST).find(({ type }) => type === IMPORTED_UP_TO);
  if (note === undefined) return 0;
  const end = note.body['pos'];
  // A note that can't be read still says that there was a file.
  return typeof end === 'number' ? end : Number.POSITIVE_INFINITY;
}

/** The entries of the file that a session was made of, on all its branches, in order; none for a session that was made of none. */
export function importedEntries(
  store: Pick<SessionStore, 'records' | 'branch'>,
  sessionId: string,
): readonly Entry[] {
  const end = importedUpTo(store, sessionId);
  if (end === 0) return [];
  return store
    .records(sessionId, { pos: 0 }, Math.min(end, Number.MAX_SAFE_INTEGER))
    .flatMap((record) => (record.entry === null ? [] : [entryFromRecord(record)]));
}

import { entryFromRecord } from '../record-row.ts';
import type { Entry, NewRecord, SessionStore } from '../session-store.ts';

/** Records among which the note is looked for: what the engine itself puts first, and it. */
const FIRST = 16;

/** @param pos where the last of what was imported will stand */
export function importedNote(time: number, pos: number): NewRecord {
  return { time, turn: '', type: 'imported_up_to', visible: false, body: { pos } };
}

/**
 * Where in a session's log the words of a file end that it was made of; 0 if it was made of none. All entries up to there are the
 * file's, whatever they call themselves.
 */
export function importedUpTo(store: Pick<SessionStore, 'records'>, sessionId: string): number {
  const note = store.records(sessionId, { pos: 0 }, FIRST).find(({ type }) => type === 'imported_up_to');
  return note?.type === 'imported_up_to' ? note.body.pos : 0;
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

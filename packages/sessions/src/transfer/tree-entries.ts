import type { LogRecord } from '@bulkhead/protocol/records';
import type { Entry, SessionStore, StoredRecord } from '../session-store.ts';

/** The parts of an entry that a view of the whole tree uses: its message is not read. */
export type TreeEntry = Pick<Entry, 'id' | 'parent' | 'time' | 'turn'> & LogRecord;

/** Records read at once. */
const PAGE = 200;

/** Every entry of a session's tree, parents first: the shared part of a fork, then its own log. */
export function* treeEntries(store: SessionStore, sessionId: string): Generator<TreeEntry> {
  const origin = store.getSession(sessionId)?.origin ?? null;
  if (origin !== null) yield* store.branch(sessionId, origin.entry);
  for (let pos = 0; ; ) {
    const page = store.records(sessionId, { pos }, PAGE);
    yield* page.flatMap(entryOf);
    pos += page.length;
    if (page.length < PAGE) return;
  }
}

function entryOf({ entry, ...record }: StoredRecord): readonly TreeEntry[] {
  return entry === null ? [] : [{ id: entry, ...record }];
}

import { damaged, entryFromRow, type RecordRow } from '../record-row.ts';
import type { Entry } from '../session-store.ts';
import { noEntry } from '../store-errors.ts';
import type { EntryLink, TreeSource } from './tree-source.ts';

/**
 * Rows from `leaf` to the root. A parent that the session's own log doesn't hold is looked up in
 * the fork's origin, and from there on never again in the fork.
 * @throws BulkheadError `not_found` if `leaf` is no entry of the session's tree
 */
export function* walkBack(source: TreeSource, sessionId: string, leaf: string | null): Generator<RecordRow> {
  if (leaf === null) return;
  if (!holdsEntry(source, sessionId, leaf)) throw noEntry(sessionId, leaf);
  yield* steps((session, entry) => source.row(session, entry), source, sessionId, leaf);
}

/** Entries from the root to `leaf`, both included. */
export function branchOf(source: TreeSource, sessionId: string, leaf: string | null): readonly Entry[] {
  return [...walkBack(source, sessionId, leaf)].reverse().map(entryFromRow);
}

/** True if `entry` belongs to the session's tree: to its own log, or to the path to its origin. */
export function holdsEntry(source: TreeSource, sessionId: string, entry: string): boolean {
  if (source.link(sessionId, entry) !== undefined) return true;
  const origin = source.origin(sessionId);
  if (origin === null) return false;
  if (origin.entry === entry) return true;
  if (!isAnywhere(source, origin.session, entry)) return false;
  for (const { id } of linksBack(source, origin.session, origin.entry)) if (id === entry) return true;
  return false;
}

/** As `walkBack`, places only. `from` must be an entry of the tree. */
export function* linksBack(
  source: TreeSource,
  sessionId: string,
  from: string,
): Generator<EntryLink & { readonly id: string; readonly sessionId: string }> {
  const find = (session: string, id: string) => {
    const link = source.link(session, id);
    return link === undefined ? undefined : { ...link, id, sessionId: session };
  };
  yield* steps(find, source, sessionId, from);
}

function* steps<T extends EntryLink>(
  find: (session: string, entry: string) => T | undefined,
  source: TreeSource,
  sessionId: string,
  from: string,
): Generator<T> {
  let session = sessionId;
  let below = Number.POSITIVE_INFINITY;
  for (let id: string | null = from; id !== null; ) {
    const step = find(session, id);
    if (step === undefined) {
      const origin = source.origin(session);
      if (origin === null) throw damaged({ sessionId: session, pos: below }, `entry ${id} is missing`);
      session = origin.session;
      below = Number.POSITIVE_INFINITY;
    } else {
      if (step.pos >= below)
        throw damaged({ sessionId: session, pos: step.pos }, 'it comes after an entry below it');
      yield step;
      below = step.pos;
      id = step.parent;
    }
  }
}

function isAnywhere(source: TreeSource, sessionId: string, entry: string): boolean {
  for (let session = sessionId; ; ) {
    if (source.link(session, entry) !== undefined) return true;
    const origin = source.origin(session);
    if (origin === null) return false;
    session = origin.session;
  }
}

import type { EntryPlace } from '../session-store.ts';
import { noEntry } from '../store-errors.ts';
import type { TreeSource } from './tree-source.ts';
import { holdsEntry } from './walk-back.ts';

/**
 * @param requireSession throws `not_found` if there is no such session
 * @throws BulkheadError `not_found` unless a session can be forked from `origin`
 */
export function requireOrigin(
  source: TreeSource,
  origin: EntryPlace,
  requireSession: (id: string) => void,
): void {
  requireSession(origin.session);
  if (!holdsEntry(source, origin.session, origin.entry)) throw noEntry(origin.session, origin.entry);
}

import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { ModelCallTotals } from '../session-store.ts';
import type { Connection } from './connection.ts';
import { LOSS, type StoredHead } from './session-directory.ts';
import { addSpendings } from './spendings.ts';
import type { SqliteSearch } from './sqlite-search.ts';

/**
 * Removes a session from every table, and leaves a tombstone that prevents reuse of its id. Its
 * bytes remain until `sweep`, which is recorded as due.
 * @param spent cost of its model calls: kept without it, so that deleting can't reset a spend cap
 * @param also removes related data of other tables, in the same transaction
 */
export function removeStored(
  { write, statements }: Connection,
  search: SqliteSearch,
  stored: StoredHead,
  {
    time,
    spent,
    also,
  }: {
    readonly time: number;
    readonly spent: readonly ModelCallTotals[];
    readonly also: () => void;
  },
): void {
  const { key, head } = stored;
  write(true, () => {
    search.forget(stored);
    addSpendings(statements, spent);
    statements.addTombstone.run(key, head.info.id, time);
    statements.addUnswept.run();
    statements.removeRecords.run(key);
    statements.removeQuarantine.run(key);
    statements.removeAgreement.run(`${LOSS}${head.info.id}`);
    statements.removeSession.run(key);
    also();
  });
}

/**
 * Rewrites the whole database and empties its write-ahead log, if a deletion is due for it.
 * Overwriting freed space (`secure_delete`) is not enough: pages keep copies of rows that were once
 * moved to a neighbour. Takes as long as copying the file, and as much space meanwhile.
 * @throws BulkheadError `store_failed` if that is impossible now; it is tried again when the
 *   store is opened
 */
export function sweep({ database, path, statements, guard, write }: Connection): void {
  if (guard(() => statements.unswept.get()) === undefined) return;
  try {
    guard(() => database.exec('VACUUM'));
    const result = guard(() => database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
    if (result?.['busy'] !== 0) throw new Error('another program reads it');
    write(true, () => statements.removeUnswept.run());
  } catch (error) {
    throw new BulkheadError(
      'store_failed',
      `the session is deleted, but its old text is still in ${path}: ${describeError(error)}`,
      {
        cause: error,
        fix: 'Close other programs that read it and free some space, then stop and start Bulkhead.',
      },
    );
  }
}

import type { DatabaseSync } from 'node:sqlite';

/**
 * Makes a change that is on the disk when this returns, with all that was committed before: the log that the system writes
 * ahead is one file, and is flushed whole. What is committed in another way outlives the process, and a power loss after the next
 * change that is made here.
 */
export function durably(database: DatabaseSync, change: () => unknown): void {
  database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
  try {
    change();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}

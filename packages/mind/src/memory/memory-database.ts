import type { DatabaseSync } from 'node:sqlite';
import { openOwnDatabase } from '@bulkhead/home/folder/open-own-database';
import { BulkheadError } from '@bulkhead/protocol';

const TABLES = `
  CREATE TABLE IF NOT EXISTS lines (
    key TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, author TEXT NOT NULL, session TEXT NOT NULL,
    time INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (key, action)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS lines_of_label ON lines (path) WHERE trust = 'external' OR secrecy NOT IN ('public', 'internal');
  CREATE TABLE IF NOT EXISTS proposals (
    id TEXT NOT NULL PRIMARY KEY, time INTEGER NOT NULL, state TEXT NOT NULL, session TEXT NOT NULL, reason TEXT NOT NULL,
    target TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL, replaces TEXT NOT NULL,
    secrecy TEXT NOT NULL, trust TEXT NOT NULL, action TEXT NOT NULL, decided INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

/**
 * Opens what is kept of memory beside the files, making it if there is none. This is no view: what it says can't be read from
 * the files again.
 *
 * @throws BulkheadError `store_corrupt` for a file that is none of ours, `store_failed`
 */
export function openMemoryDatabase(path: string): DatabaseSync {
  return openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    synchronous: 'FULL',
    // A line whose label can't be read must not count as the user's.
    damaged: (reason, cause) => damaged(path, reason, cause),
  });
}

/** What somebody wrote there is not guessed at. */
export function damaged(path: string, reason: string, cause?: unknown): BulkheadError {
  return new BulkheadError(
    'store_corrupt',
    `who wrote what in memory can't be read from ${path}: ${reason}`,
    {
      fix: 'Restore the file from a backup. Without it every line of memory would count as your own: delete it only if that is so.',
      cause,
    },
  );
}

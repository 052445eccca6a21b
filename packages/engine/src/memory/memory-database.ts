import { closeSync, fchmodSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Version of the tables. Others are refused: a line whose label can't be read must not count as the user's. */
const VERSION = 1;

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
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION}`;

/**
 * Opens what is kept of memory beside the files, making it if there is none. This is no view: what it says can't be read from
 * the files again.
 *
 * @throws BulkheadError `store_corrupt` for a file that is none of ours, `store_failed`
 */
export function openMemoryDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(path);
    database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version !== 0 && version !== VERSION) {
      throw damaged(path, `it has version ${String(version)}, and this engine knows ${VERSION}`);
    }
    database.exec(TABLES);
    return database;
  } catch (cause) {
    database?.close();
    if (BulkheadError.is(cause)) throw cause;
    throw damaged(path, describeError(cause), cause);
  }
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

function makePrivate(path: string): void {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}

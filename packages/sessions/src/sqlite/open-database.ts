import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { isCut, makeEmpty, pragma, sync } from './database-file.ts';
import { applyMigrations, migrateFile } from './migrate.ts';
import { APPLICATION_ID, FIRST_SCHEMA, SCHEMA_OBJECTS, SCHEMA_VERSION } from './schema.ts';
import { setSideDatabasesAside } from './side-databases.ts';
import { corrupt, fromSqliteError } from './sqlite-error.ts';

/**
 * Opens the database at `path` for writing, making it if missing and migrating an older one. A
 * damaged, foreign or later file is checked through a read-only connection and left unchanged. The
 * check costs the same for every size: readers find damage in a log, and `checkDatabase` finds all
 * of it.
 *
 * A new database is completed under another name and renamed, so that an empty or shortened file at
 * `path` always means damage and never an interrupted start.
 * @param busyTimeout milliseconds to wait for another connection's lock
 * @param reached called at each point where a migration may be interrupted
 * @throws BulkheadError `store_corrupt`, `not_available` (later version), `store_failed`
 */
export function openDatabase(
  path: string,
  busyTimeout: number,
  reached: (point: string) => void = () => {},
): DatabaseSync {
  try {
    if (existsSync(path)) {
      const version = inspect(path, busyTimeout);
      if (version < SCHEMA_VERSION) migrateFile(path, version, busyTimeout, reached);
    } else create(path);
    setSideDatabasesAside(dirname(path), reached);
    // SQLite gives its files beside it the same mode.
    if ((statSync(path).mode & 0o777) !== 0o600) chmodSync(path, 0o600);
    const database = new DatabaseSync(path, { timeout: busyTimeout });
    try {
      database.exec(
        // A restored copy of `VACUUM INTO` has a rollback journal, which is never flushed.
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON',
      );
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw fromSqliteError(error, path);
  }
}

function create(path: string): void {
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw corrupt(path, 'the file is missing, but its write-ahead log is there');
  }
  const fresh = `${path}.new`;
  makeEmpty(fresh);
  const database = new DatabaseSync(fresh);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL');
    database.exec(
      `BEGIN; ${FIRST_SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1; COMMIT`,
    );
    applyMigrations(database, dirname(path), 1);
  } finally {
    database.close();
  }
  renameSync(fresh, path);
  sync(dirname(path));
}

/** The version of the database. */
function inspect(path: string, busyTimeout: number): number {
  refuseCut(path);
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
  try {
    return versionOf(database, path);
  } finally {
    database.close();
  }
}

/** @throws BulkheadError `store_corrupt` for a file that is empty or lost its end */
export function refuseCut(path: string): void {
  if (statSync(path).size === 0) throw corrupt(path, 'the file is empty');
  if (!existsSync(`${path}-wal`) && isCut(path)) throw corrupt(path, 'its end is missing');
}

/** @throws BulkheadError `store_corrupt` for a foreign database, `not_available` (later version) */
export function versionOf(database: DatabaseSync, path: string): number {
  const mark = pragma(database, 'application_id');
  if (mark !== APPLICATION_ID) throw corrupt(path, 'it is not a session database of Bulkhead');
  const version = pragma(database, 'user_version');
  if (typeof version !== 'number' || version < 1) throw corrupt(path, 'it has no version');
  if (version > SCHEMA_VERSION) {
    throw new BulkheadError(
      'not_available',
      `the session database ${path} has version ${version}; this program knows up to ${SCHEMA_VERSION}`,
      { fix: 'Use the newer version of Bulkhead that wrote it. It was left as it is.' },
    );
  }
  if (version === SCHEMA_VERSION) checkSchema(database, path);
  return version;
}

function checkSchema(database: DatabaseSync, path: string): void {
  const there = new Set(
    database
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  );
  const missing = SCHEMA_OBJECTS.find((name) => !there.has(name));
  if (missing !== undefined) throw corrupt(path, `its ${missing} is missing`);
}

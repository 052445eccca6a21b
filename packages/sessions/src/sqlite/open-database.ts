import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { isCut, makeEmpty, pragma, sync } from './database-file.ts';
import { MIGRATIONS } from './migrations.ts';
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

/**
 * Migrates the database at `path`, after making a copy beside it. Each step is one transaction with
 * its version number: after an interruption, the database is before or after a step and the next
 * start continues there.
 * @param reached called at each point where it may be interrupted
 */
function migrateFile(
  path: string,
  version: number,
  busyTimeout: number,
  reached: (point: string) => void,
): void {
  const database = new DatabaseSync(path, { timeout: busyTimeout });
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    reached('opened');
    backUp(database, path, version, reached);
    applyMigrations(database, dirname(path), version, reached);
  } finally {
    database.close();
  }
}

/** Runs the steps after `version`. @param folder that the database lies in */
function applyMigrations(
  database: DatabaseSync,
  folder: string,
  version: number,
  reached: (point: string) => void = () => {},
): void {
  for (const { to, run } of MIGRATIONS.filter((migration) => migration.to > version)) {
    database.exec('BEGIN IMMEDIATE');
    try {
      reached(`begun ${to}`);
      if (pragma(database, 'user_version') === to - 1) run(database, folder);
      reached(`done ${to}`);
      database.exec(`PRAGMA user_version = ${to}; COMMIT`);
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    reached(`committed ${to}`);
  }
}

/**
 * Writes a copy of an open database beside it as `<path>.v<version>.bak`, including its write-ahead
 * log. An existing complete copy is kept: it is from before the first attempt.
 */
function backUp(
  database: DatabaseSync,
  path: string,
  version: number,
  reached: (point: string) => void,
): void {
  const backup = `${path}.v${version}.bak`;
  if (isWhole(backup, version)) return;
  const fresh = `${backup}.new`;
  makeEmpty(fresh);
  reached('backup begun');
  database.prepare('VACUUM INTO ?').run(fresh);
  reached('backup written');
  sync(fresh);
  renameSync(fresh, backup);
  sync(dirname(path));
  reached('backup named');
}

function isWhole(backup: string, version: number): boolean {
  if (!existsSync(backup) || isCut(backup)) return false;
  try {
    const database = new DatabaseSync(backup, { readOnly: true });
    try {
      const ours = pragma(database, 'application_id') === APPLICATION_ID;
      return (
        ours &&
        pragma(database, 'user_version') === version &&
        pragma(database, 'integrity_check(1)') === 'ok'
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

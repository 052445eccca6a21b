import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { corrupt, fromSqliteError } from './sqlite-error.ts';

/**
 * Opens the database at `path` for writing, making it if there is none. A file that is damaged, foreign
 * or of a later version is looked at through a read-only connection and left byte for byte as it was.
 *
 * A new database is made whole under another name and renamed, so that a file at `path` which is empty
 * or cut short is always damage and never a start that was interrupted.
 * @param busyTimeout milliseconds to wait for another connection's lock
 * @throws BulkheadError `store_corrupt`, `not_available` (later version), `store_failed`
 */
export function openDatabase(path: string, busyTimeout: number): DatabaseSync {
  try {
    if (existsSync(path)) inspect(path, busyTimeout);
    else create(path);
    const database = new DatabaseSync(path, { timeout: busyTimeout });
    try {
      database.exec('PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864');
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
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${fresh}${suffix}`, { force: true });
  closeSync(openSync(fresh, 'wx', 0o600));
  const database = new DatabaseSync(fresh);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL');
    database.exec(
      `BEGIN; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
    );
  } finally {
    database.close();
  }
  renameSync(fresh, path);
  syncFolder(dirname(path));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function inspect(path: string, busyTimeout: number): void {
  if (statSync(path).size === 0) throw corrupt(path, 'the file is empty');
  if (!existsSync(`${path}-wal`) && isCut(path)) throw corrupt(path, 'its end is missing');
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
  try {
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
    const finding = pragma(database, 'integrity_check(1)');
    if (finding !== 'ok') throw corrupt(path, String(finding));
  } finally {
    database.close();
  }
}

/**
 * True if a file that is a database is not as long as its header says (format: sqlite.org/fileformat2.html,
 * 1.3). Only says so of a database that was closed: an open one keeps the truth in its write-ahead log.
 */
function isCut(path: string): boolean {
  const header = Buffer.alloc(32);
  const descriptor = openSync(path, 'r');
  try {
    if (readSync(descriptor, header, 0, 32, 0) < 32) return true;
    if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return false;
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    return fstatSync(descriptor).size !== pageSize * header.readUInt32BE(28);
  } finally {
    closeSync(descriptor);
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? undefined : Object.values(row)[0];
}

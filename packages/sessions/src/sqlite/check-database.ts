import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { pragma } from './database-file.ts';
import { checkNames, recordsAfter } from './read-log.ts';
import { APPLICATION_ID, SCHEMA_VERSION, SESSIONS_VERSION } from './schema.ts';
import { SessionDirectory, type StoredHead } from './session-directory.ts';
import { corrupt, fromSqliteError } from './sqlite-error.ts';
import { prepareStatements, type Statements } from './statements.ts';

export interface DatabaseFinding {
  /** The damaged session; null if the file or shared data is damaged. */
  readonly session: string | null;
  readonly problem: string;
}

/** Most findings that SQLite reports. */
const MOST_FINDINGS = 100;
/** Records read at once. */
const PAGE = 500;

/**
 * Checks every page and every record: takes as long as reading the whole file. Changes nothing; the
 * store may be open meanwhile. A database of an earlier version is checked by SQLite only.
 * @param path must be a session database
 * @returns nothing if all is well
 * @throws BulkheadError `not_found`, `not_available` (later version), `store_failed`
 */
export function checkDatabase(path: string): readonly DatabaseFinding[] {
  if (!existsSync(path)) throw new BulkheadError('not_found', `there is no session database ${path}`);
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    try {
      return findings(database, path);
    } finally {
      database.close();
    }
  } catch (error) {
    const known = fromSqliteError(error, path);
    if (known.code !== 'store_corrupt') throw known;
    return [{ session: null, problem: known.message }];
  }
}

function findings(database: DatabaseSync, path: string): readonly DatabaseFinding[] {
  if (pragma(database, 'application_id') !== APPLICATION_ID)
    throw corrupt(path, 'it is not a session database');
  const version = Number(pragma(database, 'user_version'));
  if (version > SCHEMA_VERSION) {
    throw new BulkheadError('not_available', `the session database ${path} has version ${version}`, {
      fix: 'Use the newer version of Bulkhead that wrote it.',
    });
  }
  const pages = database.prepare(`PRAGMA integrity_check(${MOST_FINDINGS})`).all();
  const shared = pages
    .map((row) => String(Object.values(row)[0]))
    .filter((problem) => problem !== 'ok')
    .map((problem) => ({ session: null, problem }));
  return version < SESSIONS_VERSION ? shared : [...shared, ...damagedSessions(database)];
}

function damagedSessions(database: DatabaseSync): readonly DatabaseFinding[] {
  const statements = prepareStatements(database);
  const directory = new SessionDirectory(statements);
  directory.refresh();
  return directory.all().flatMap((stored) => {
    const { id, damage } = stored.head.info;
    const problem = damage === '' ? problemOf(statements, stored) : damage;
    return problem === undefined ? [] : [{ session: id, problem }];
  });
}

function problemOf(statements: Statements, stored: StoredHead): string | undefined {
  try {
    checkNames(statements, stored);
    for (let pos = 0; pos < stored.head.lastPos; pos += PAGE) recordsAfter(statements, stored, { pos }, PAGE);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

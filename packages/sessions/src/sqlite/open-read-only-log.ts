import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { BulkheadError } from '@bulkhead/protocol';
import type { LogAgreement } from '../log-agreement.ts';
import { refuseCut, versionOf } from './open-database.ts';
import { recordsAfter } from './read-log.ts';
import { SCHEMA_VERSION, SESSIONS_VERSION } from './schema.ts';
import { SessionDirectory } from './session-directory.ts';
import { fromSqliteError } from './sqlite-error.ts';
import { prepareStatements } from './statements.ts';
import type { Tables } from './tables.ts';

const BUSY_TIMEOUT_MS = 2_000;
/** Most findings that SQLite reports. */
const MOST_FINDINGS = 20;

/** A session database in its present state, for readers only. */
export interface ReadOnlyLog
  extends Disposable,
    Pick<LogAgreement, 'mark' | 'standing' | 'losses' | 'positions' | 'recordsAfter'> {
  readonly sessions: number;
  /** Sessions under quarantine, with their damage. */
  readonly damaged: readonly { readonly session: string; readonly problem: string }[];
  /**
   * The data beside the sessions; undefined if it still lies in separate files. Every change of it
   * fails.
   */
  readonly tables: Tables | undefined;
  /** SQLite's findings about the pages; empty if all is well. Calling it reads the whole file. */
  readonly problems: readonly string[];
}

/**
 * Opens the database at `path`, with or without a running engine. No file is made or changed there:
 * a closed database is read in place, and one with a write-ahead log that no process has open is
 * copied first.
 * @param isLocked the caller keeps all other processes from this database: nothing is copied, and
 *   SQLite may make its index beside it
 * @returns undefined for one whose sessions have tables of an earlier version, which a start
 *   migrates
 * @throws BulkheadError as opening the store does
 */
export function openReadOnlyLog(path: string, isLocked = false): ReadOnlyLog | undefined {
  refuseCut(path);
  const stack = new DisposableStack();
  try {
    const database = stack.adopt(connectTo(path, isLocked, stack), (opened) => opened.close());
    const version = versionOf(database, path);
    if (version < SESSIONS_VERSION) {
      stack.dispose();
      return undefined;
    }
    return lookAt(database, stack, version < SCHEMA_VERSION ? undefined : readTables(database, path));
  } catch (error) {
    stack.dispose();
    throw BulkheadError.is(error) ? error : fromSqliteError(error, path);
  }
}

function readTables(database: DatabaseSync, path: string): Tables {
  return {
    path,
    prepare: (sql) => database.prepare(sql),
    write: () => {
      throw new BulkheadError('internal', `${path} is open for reading only`);
    },
    onSessionDeleted: () => {},
  };
}

function lookAt(database: DatabaseSync, stack: DisposableStack, tables: Tables | undefined): ReadOnlyLog {
  const statements = prepareStatements(database);
  const directory = new SessionDirectory(statements);
  directory.refresh();
  const heads = directory.all().map(({ head }) => head);
  return {
    tables,
    get problems() {
      return database
        .prepare(`PRAGMA quick_check(${MOST_FINDINGS})`)
        .all()
        .map((row) => String(Object.values(row)[0]))
        .filter((problem) => problem !== 'ok');
    },
    sessions: heads.length,
    damaged: heads.flatMap(({ info }) =>
      info.damage === '' ? [] : [{ session: info.id, problem: info.damage }],
    ),
    standing: (sessionId) => directory.standing(sessionId),
    mark: () => directory.mark,
    positions: () => directory.positions,
    recordsAfter(sessionId, pos, limit) {
      const stored = directory.get(sessionId);
      return stored === undefined ? [] : recordsAfter(statements, stored, { pos }, limit);
    },
    losses: () => directory.losses,
    [Symbol.dispose]: () => stack.dispose(),
  };
}

function connectTo(path: string, isLocked: boolean, stack: DisposableStack): DatabaseSync {
  const options = { readOnly: true, timeout: BUSY_TIMEOUT_MS };
  if (isLocked || existsSync(`${path}-shm`)) return new DatabaseSync(path, options);
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) {
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, options);
  }
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'bulkhead-look-')), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const copy = join(folder, 'copy.db');
  copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  copyFileSync(log, `${copy}-wal`, constants.COPYFILE_FICLONE);
  return new DatabaseSync(copy, options);
}

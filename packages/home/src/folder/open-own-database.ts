import { closeSync, fchmodSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError, faultPoint } from '@bulkhead/protocol';

/** How long to wait for another process that writes, milliseconds: while it is opened, and later, when everybody waits with it. */
const OPENING_TIMEOUT = 5_000;
const BUSY_TIMEOUT = 50;

/** One of the engine's own small databases. */
export interface OwnDatabase {
  /** `:memory:` for one that no other connection shares. */
  readonly path: string;
  /** Of the tables. A file of another version is refused. */
  readonly version: number;
  /** SQL that makes the tables where they are not there. */
  readonly tables: string;
  /** `FULL`: what is committed outlives a power cut. `NORMAL`: a power cut may take the last commits. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Looks at what is in it before it counts as opened. @throws any error: it can't be used */
  readonly check?: (database: DatabaseSync) => void;
  /** What to tell a person of a file that can't be used. @param reason a clause */
  readonly damaged: (reason: string, cause?: unknown) => BulkheadError;
}

/**
 * Opens a database of the engine's, making the file, private, if there is none.
 *
 * @throws BulkheadError as `damaged` gives it, for a file that is none of ours or of another version, or can't be opened
 */
export function openOwnDatabase(own: OwnDatabase): DatabaseSync {
  const { path, version, tables, synchronous, damaged } = own;
  let database: DatabaseSync | undefined;
  try {
    if (path !== ':memory:') makePrivate(path);
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    const found = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (found !== 0 && found !== version)
      throw damaged(`it has version ${String(found)}, and this engine knows ${version}`);
    database.exec(`${tables}; PRAGMA user_version = ${version}`);
    own.check?.(database);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return database;
  } catch (cause) {
    database?.close();
    throw BulkheadError.is(cause) ? cause : damaged(describeError(cause), cause);
  }
}

/** Makes a change. @throws BulkheadError what `change` itself refuses with; `store_failed`: it is not known then whether it was made */
export function writeOwn<Result>(path: string, change: () => Result): Result {
  try {
    faultPoint('own.before_write');
    return change();
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    throw cannotWrite(path, cause);
  }
}

/** @returns `store_failed`, retryable for a disk that is full and for another process that writes: SQLite has undone all of it then */
export function cannotWrite(path: string, cause: unknown): BulkheadError {
  return new BulkheadError('store_failed', `can't write to ${path}: ${describeError(cause)}`, {
    fix: 'See whether its disk is full, and whether the file is yours to write to.',
    retryable: isUndone(cause),
    details: { path },
    cause,
  });
}

/** BUSY and FULL, https://www.sqlite.org/rescode.html. */
function isUndone(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return false;
  return [5, 13].includes(cause.errcode & 0xff);
}

/** Before anything is in it: what SQLite puts beside the file gets the mode of the file. */
function makePrivate(path: string): void {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}

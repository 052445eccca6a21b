import { dirname, join } from 'node:path';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Primary result codes, https://www.sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Primary result code of an error of `node:sqlite`; undefined for any other value. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_BUSY;
}

/** True if data that SQLite believes to be on disk may be lost. */
export function isDiskError(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_IOERR;
}

/** Converts an error of SQLite to one for the owner of the file at `path`. Our own pass through. */
export function fromSqliteError(error: unknown, path: string): BulkheadError {
  if (BulkheadError.is(error)) return error;
  if (!isOutside(error)) return BulkheadError.from(error);
  const code = sqliteCode(error);
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return corrupt(path, describeError(error), error);
  if (code === SQLITE_BUSY) {
    return new BulkheadError('store_failed', `another program holds the session database ${path}`, {
      cause: error,
      retryable: true,
      fix: 'Close the other program and try again.',
    });
  }
  if (code === SQLITE_FULL) {
    return new BulkheadError('store_failed', `no space left to write the session database ${path}`, {
      cause: error,
      retryable: true,
      fix: 'Free some space on the disk.',
      details: { path },
    });
  }
  return new BulkheadError('store_failed', `the session database ${path} failed: ${describeError(error)}`, {
    cause: error,
    fix: 'Check the disk and the permissions of the file.',
    details: { path },
  });
}

/** True for errors of SQLite and of the file system, false for mistakes of the program. */
function isOutside(error: unknown): boolean {
  return error instanceof Error && ('errcode' in error || 'errno' in error);
}

/** The remedy for an unusable database: its files belong together. */
export function restoreOrMove(path: string): string {
  const aside = join(dirname(path), 'set-aside');
  return `It was left as it is. Restore all its files from a backup, or move them away to start with an empty one: \`mkdir -p ${aside} && mv ${path}* ${aside}/\`. Without it, what was labelled counts as unlabelled, and every line of memory as your own.`;
}

/** The error for a database that can't be trusted. */
export function corrupt(path: string, why: string, cause?: unknown): BulkheadError {
  return new BulkheadError('store_corrupt', `the session database ${path} is damaged: ${why}`, {
    cause,
    fix: restoreOrMove(path),
    details: { path },
  });
}

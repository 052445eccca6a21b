import { closeSync, fchmodSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { BulkheadError, type Clock, describeError } from '@bulkhead/protocol';

/** How long a browser login stays valid. */
export const LOGIN_MS = 30 * 86_400_000;

/** Version of the tables. A file of another version is refused. */
const VERSION = 1;

/**
 * How long to wait while another process writes, in milliseconds: first while the file is opened,
 * then later, when every request waits with it.
 */
const OPENING_TIMEOUT = 5_000;
const BUSY_TIMEOUT = 50;

const TABLES = `
  CREATE TABLE IF NOT EXISTS grants (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, hash BLOB NOT NULL,
    created INTEGER NOT NULL, used INTEGER, expires INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ends (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/**
 * One access besides the owner's token. Times are milliseconds since the epoch by the wall clock;
 * they are only shown.
 */
export interface Grant {
  readonly id: string;
  readonly kind: 'login' | 'program';
  /** Name of a program; empty for a login. */
  readonly name: string;
  /** SHA-256 of the secret. The secret itself is not stored. */
  readonly hash: Uint8Array;
  readonly created: number;
  readonly used: number | undefined;
  readonly expires: number | undefined;
  /**
   * Confirmed time at which it ends. Undefined for a grant without end, and for a login made by an
   * engine without confirmed time.
   */
  readonly ends: number | undefined;
}

/** Stored grants; they outlive the engine. */
export interface AccessDatabase extends Disposable {
  /** In the order of creation. */
  all(): readonly Grant[];
  /** @throws BulkheadError `store_failed`; nothing has changed then */
  add(grant: Grant): void;
  /** @param at confirmed time. @throws BulkheadError `store_failed` */
  endAt(id: string, at: number): void;
  /** @throws BulkheadError `store_failed` */
  used(id: string, at: number): void;
  /** @throws BulkheadError `store_failed`; the grants are still stored then */
  remove(ids: readonly string[]): void;
}

/**
 * Opens the grants at `path`; creates a private file if there is none. The grants have their own
 * file: an ended access must reach the disk even while the sessions are read from copies, and must
 * not return when a person restores an earlier database of the sessions.
 *
 * @throws BulkheadError `store_corrupt`
 */
export function openAccessDatabase(path: string): AccessDatabase {
  const database = openChecked(path);
  const insert = database.prepare(
    'INSERT INTO grants (id, kind, name, hash, created, used, expires) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertEnd = database.prepare('INSERT OR REPLACE INTO ends (id, at) VALUES (?, ?)');
  const use = database.prepare('UPDATE grants SET used = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM grants WHERE id IN (SELECT value FROM json_each(?))');
  const removeEnds = database.prepare('DELETE FROM ends WHERE id NOT IN (SELECT id FROM grants)');
  const writing = (write: () => unknown): void => {
    try {
      write();
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
  };
  return {
    all: () => grantsOf(database),
    // Writes the end first: after a crash between the two, an end without a grant is harmless.
    add: ({ id, kind, name, hash, created, used, expires, ends }) =>
      writing(() => {
        if (ends !== undefined) insertEnd.run(id, Math.floor(ends));
        insert.run(id, kind, name, hash, created, used ?? null, expires ?? null);
      }),
    endAt: (id, at) => writing(() => insertEnd.run(id, Math.floor(at))),
    used: (id, at) => writing(() => use.run(at, id)),
    // One statement is one transaction.
    remove: (ids) =>
      writing(() => {
        remove.run(JSON.stringify(ids));
        removeEnds.run();
      }),
    [Symbol.dispose]: () => database.close(),
  };
}

function openChecked(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(path);
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT });
    // A revoked grant must not come back after a power cut.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const found = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (found !== 0 && found !== VERSION)
      throw new Error(`it has version ${String(found)}, and this engine knows ${VERSION}`);
    database.exec(`${TABLES}; PRAGMA user_version = ${VERSION}`);
    grantsOf(database);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return database;
  } catch (cause) {
    database?.close();
    throw new BulkheadError(
      'store_corrupt',
      `who may come in, ${path}, can't be read: ${describeError(cause)}`,
      { fix: 'Move the file away: browsers log in again, programs get new tokens.', cause },
    );
  }
}

/** Runs before anything is written: files that SQLite creates beside this one get its mode. */
function makePrivate(path: string): void {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    fchmodSync(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @returns `store_failed`, retryable if the disk is full or another process writes: SQLite has then
 * undone everything
 */
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

function grantsOf(database: DatabaseSync): readonly Grant[] {
  const all = 'SELECT grants.*, at AS ends FROM grants LEFT JOIN ends USING (id) ORDER BY grants.rowid';
  return database.prepare(all).all().map(grantOf);
}

function grantOf(row: Readonly<Record<string, unknown>>): Grant {
  const { id, kind, name, hash, created, used, expires, ends } = row;
  if (
    typeof id !== 'string' ||
    (kind !== 'login' && kind !== 'program') ||
    typeof name !== 'string' ||
    !(hash instanceof Uint8Array && hash.length === 32) ||
    typeof created !== 'number'
  ) {
    throw new Error('a row is not what this engine writes');
  }
  return { id, kind, name, hash, created, used: timeOf(used), expires: timeOf(expires), ends: timeOf(ends) };
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** @returns the error for an access that has ended but is still in the store */
export function endedOnlyHere(cause: unknown): BulkheadError {
  const { message, retryable, details } = BulkheadError.from(cause);
  return new BulkheadError(
    'store_failed',
    `the access has ended, but may be valid again after a start: ${message}`,
    {
      fix: 'Repeat this once the disk can be written, and see `bulkhead token list` after a restart.',
      retryable,
      details,
      cause,
    },
  );
}

/**
 * Drops the grants that have certainly expired. A login from an engine without confirmed time keeps
 * the time left by its date.
 */
export function livingGrants({
  database,
  clock,
  time,
}: {
  readonly database: AccessDatabase;
  readonly clock: Clock;
  readonly time: Pick<ConfirmedTime, 'confirmed'>;
}): readonly Grant[] {
  const confirmed = time.confirmed();
  const all = database.all().map((grant) => {
    if (grant.expires === undefined || grant.ends !== undefined) return grant;
    const left = Math.min(Math.max(0, grant.expires - clock.now()), LOGIN_MS);
    database.endAt(grant.id, confirmed + left);
    return { ...grant, ends: confirmed + left };
  });
  const living = all.filter(({ ends }) => ends === undefined || confirmed < ends);
  if (living.length < all.length)
    database.remove(all.filter((one) => !living.includes(one)).map(({ id }) => id));
  return living;
}

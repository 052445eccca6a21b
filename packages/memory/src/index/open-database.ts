import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Descriptor, lookAtEntry, removeEntry, systemCode } from '@bulkhead/files';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { Notices } from '../notice.ts';
import { saysDamaged } from '../sqlite-error.ts';

/** Files that SQLite creates beside a database. */
const BESIDE = ['', '-wal', '-shm', '-journal'];
/** A text changes rarely and another process, if any, writes briefly. Milliseconds. */
const BUSY_TIMEOUT = 5_000;
/** Kibibytes of pages kept in memory. */
const PAGES = 16_384;

/**
 * Opens the index at `path`, mode 0600. It is a view of files: a damaged, foreign or old one is
 * deleted and created again, empty, with one notice.
 * @param path in an existing folder that only the user may write to
 * @throws BulkheadError `store_failed` for problems that a new file doesn't solve: no space, no
 * permission
 */
export function openDatabase(path: string, notices: Notices): DatabaseSync {
  try {
    makePrivate(path);
    const known = openKnown(path);
    if (typeof known !== 'string') return known;
    notices.tell({
      code: 'index_rebuilt',
      path: '',
      text: `The memory index in ${path} ${known}. It was made anew from the files; nothing else is lost.`,
    });
    deleteDatabase(path);
    makePrivate(path);
    return openNew(path);
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    throw new BulkheadError(
      'store_failed',
      `can't open the memory index in ${path}: ${describeError(cause)}`,
      {
        cause,
        fix: 'Make room or give yourself the right to write there. The index can be deleted at any time',
      },
    );
  }
}

/** Deletes an index that no process has open. */
export function deleteDatabase(path: string): void {
  using folder = Descriptor.ofTrustedFolder(dirname(path));
  for (const ending of BESIDE) {
    const name = Buffer.from(basename(path) + ending);
    if (lookAtEntry(folder, name) !== undefined) removeEntry(folder, name);
  }
}

/** @returns the reason, as a clause, if it is not one of ours */
function openKnown(path: string): DatabaseSync | string {
  let database: DatabaseSync | undefined;
  try {
    database = open(path);
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const application = database.prepare('PRAGMA application_id').get()?.['application_id'];
    const tables = Number(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
    if (tables === 0 && version === 0) return create(database);
    if (application === APPLICATION && version === VERSION && isWhole(database)) return database;
    database.close();
    return application === APPLICATION && version !== VERSION ? 'has another version' : 'is none of ours';
  } catch (error) {
    if (database?.isOpen === true) database.close();
    if (saysDamaged(error)) return 'is damaged';
    throw error;
  }
}

function openNew(path: string): DatabaseSync {
  return create(open(path));
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
  // A power cut may lose the last changes, but never leaves partial ones: the next sync restores
  // them.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${PAGES}`);
  return database;
}

function create(database: DatabaseSync): DatabaseSync {
  database.exec(
    `BEGIN IMMEDIATE; ${SCHEMA} PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION}; COMMIT`,
  );
  return database;
}

/** True if every table answers; deeper damage is detected on reading. */
function isWhole(database: DatabaseSync): boolean {
  try {
    for (const table of ['files', 'chunks', 'texts', 'words', 'frequencies', 'embedders', 'vectors']) {
      database.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
    }
    return true;
  } catch {
    return false;
  }
}

/** Files that SQLite creates beside the database get its mode. */
function makePrivate(path: string): void {
  using folder = Descriptor.ofTrustedFolder(dirname(path));
  const name = Buffer.from(basename(path));
  try {
    using made = Descriptor.create(folder, name, 0o600);
    made.setMode(0o600);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    using there = Descriptor.ofEntry(folder, name);
    if (!there.stat().isFile()) {
      throw new BulkheadError('store_failed', `${path} should be the memory index, and is no file`, {
        fix: 'Move it elsewhere',
      });
    }
    there.setMode(0o600);
  }
}

/** Distinguishes an index from other databases: "BkMi". */
const APPLICATION = 0x42_6b_4d_69;

/** Version of tables, chunks and terms together: other versions are rebuilt, never migrated. */
const VERSION = 2;

/**
 * `words` holds the terms of each chunk (see `word-tokens.ts`), without texts and positions: a
 * third of the size and a fifth of the time of a full one, measured at 100,000 chunks. Texts are
 * stored separately from the data of every search, together with their ranking data (see
 * `packed-chunk.ts`). `frequencies` counts the terms of `words`. Terms are separated by spaces; the
 * tokenizer must not split within a term.
 */
const SCHEMA = `
CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, source TEXT NOT NULL, version TEXT NOT NULL, hash BLOB NOT NULL
) STRICT;
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ordinal INTEGER NOT NULL, terms INTEGER NOT NULL, tie INTEGER NOT NULL,
  key BLOB NOT NULL, heading TEXT NOT NULL, date TEXT NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_of_file ON chunks (file, ordinal);
CREATE TABLE texts (id INTEGER PRIMARY KEY, packed BLOB NOT NULL, text TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE frequencies (token TEXT PRIMARY KEY, chunks INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE embedders (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL) STRICT;
CREATE TABLE vectors (
  embedder INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (embedder, key)
) STRICT, WITHOUT ROWID;
`;

import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { SEARCH_SCHEMA } from '../search/search-index.ts';
import { indexDigest } from '../session-head.ts';
import { headChecksum } from './head-row.ts';
import { integer, type Row, text } from './read-row.ts';
import { takeOverSideDatabases } from './side-databases.ts';

export interface Migration {
  /** The resulting version, from the one before. */
  readonly to: number;
  /**
   * Runs within a transaction. Must not change the rows of the log.
   * @param folder of the database
   */
  readonly run: (database: DatabaseSync, folder: string) => void;
}

/**
 * Version 2: forks, deletion, quarantine, search, costs of calls whose session must be forgotten,
 * and in each session's head the end of its log. Lists are served from memory, so the index of
 * sessions by time is dropped. Texts are indexed when they are first searched.
 */
const FORKS_AND_SEARCH = `
ALTER TABLE sessions ADD COLUMN origin_session TEXT;
ALTER TABLE sessions ADD COLUMN origin_entry TEXT;
ALTER TABLE sessions ADD COLUMN last_pos INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
DROP INDEX sessions_updated;

CREATE INDEX records_labels ON records (session, pos) WHERE type = 'label';
CREATE INDEX records_model_calls ON records (time, session) WHERE type = 'model_call';

CREATE TABLE tombstones (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, time INTEGER NOT NULL) STRICT;
CREATE TABLE unswept (pending INTEGER PRIMARY KEY) STRICT;
CREATE TABLE quarantine (session INTEGER PRIMARY KEY, why TEXT NOT NULL) STRICT;
CREATE TABLE spendings (
  day TEXT NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cost REAL NOT NULL,
  unpriced INTEGER NOT NULL,
  PRIMARY KEY (day, purpose, model)
) STRICT;
CREATE TABLE search_progress (session INTEGER PRIMARY KEY, pos INTEGER NOT NULL) STRICT;
${SEARCH_SCHEMA}

DROP TRIGGER records_no_delete;
CREATE TRIGGER records_no_delete BEFORE DELETE ON records
  WHEN OLD.session NOT IN (SELECT key FROM tombstones)
  BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
CREATE TRIGGER sessions_no_delete BEFORE DELETE ON sessions
  WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE key = OLD.key AND id = OLD.id)
  BEGIN SELECT RAISE(ABORT, 'sessions are never removed without a tombstone'); END;
CREATE TRIGGER sessions_no_return BEFORE INSERT ON sessions
  WHEN EXISTS (SELECT 1 FROM tombstones WHERE key = NEW.key OR id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'a deleted session never comes back'); END;
CREATE TRIGGER sessions_no_rename BEFORE UPDATE OF key, id ON sessions
  BEGIN SELECT RAISE(ABORT, 'sessions are never renamed'); END;
CREATE TRIGGER tombstones_no_update BEFORE UPDATE ON tombstones
  BEGIN SELECT RAISE(ABORT, 'tombstones are never changed'); END;
CREATE TRIGGER tombstones_no_delete BEFORE DELETE ON tombstones
  BEGIN SELECT RAISE(ABORT, 'tombstones are never removed'); END;
`;

/**
 * Version 3: the position up to which the audit log agrees with this database, and the sessions
 * whose logs lost records. One row for each; the caller defines both texts.
 */
const AGREEMENT = `
CREATE TABLE agreement (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * Version 4: data from former separate files. `labels` and their history, names and answers of
 * programs (`callers`), single-use approvals, daily totals, and the author of each line of memory.
 */
export const SIDE_TABLES = `
CREATE TABLE labels (
  kind TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE labels_told (session TEXT NOT NULL PRIMARY KEY, pos INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE labels_met (
  session TEXT NOT NULL, pos INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (session, pos)
) STRICT, WITHOUT ROWID;
CREATE TABLE labels_displaced (
  action TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT, trust TEXT, PRIMARY KEY (action, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE labels_live (
  action TEXT NOT NULL PRIMARY KEY, session TEXT NOT NULL, folder TEXT NOT NULL, secrecy TEXT NOT NULL,
  trust TEXT NOT NULL, since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE callers_sessions (
  caller TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (caller, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX callers_by_session ON callers_sessions (session);
CREATE TABLE callers_answers (
  caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX callers_answers_by_time ON callers_answers (at);
CREATE TABLE callers_responses (
  number INTEGER PRIMARY KEY, caller TEXT NOT NULL, response TEXT NOT NULL, session TEXT NOT NULL, time TEXT,
  UNIQUE (caller, response)
) STRICT;
CREATE INDEX callers_responses_by_session ON callers_responses (session, caller);

CREATE TABLE approvals_tokens (
  nonce TEXT PRIMARY KEY, expires INTEGER NOT NULL, used INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_totals (
  day TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL, cost REAL NOT NULL, PRIMARY KEY (day, purpose)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_lines (
  profile TEXT NOT NULL, key TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, author TEXT NOT NULL,
  session TEXT NOT NULL, time INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL,
  PRIMARY KEY (profile, key, action)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_lines_labelled ON memory_lines (profile)
  WHERE trust = 'external' OR secrecy NOT IN ('public', 'internal');
CREATE TABLE memory_proposals (
  profile TEXT NOT NULL, id TEXT NOT NULL, time INTEGER NOT NULL, state TEXT NOT NULL, session TEXT NOT NULL,
  reason TEXT NOT NULL, target TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL, replaces TEXT NOT NULL,
  secrecy TEXT NOT NULL, trust TEXT NOT NULL, action TEXT NOT NULL, decided INTEGER NOT NULL,
  PRIMARY KEY (profile, id)
) STRICT, WITHOUT ROWID;
`;

/** Version 5: permissions that people gave for later commands of a folder. */
const GRANTS = `
CREATE TABLE grants (
  id TEXT NOT NULL PRIMARY KEY, scope TEXT NOT NULL, session TEXT NOT NULL, folder TEXT NOT NULL,
  identity TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** In order. A released step is never changed: users have databases made by it. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    run: (database) => {
      database.exec(FORKS_AND_SEARCH);
      rewriteHeads(database);
    },
  },
  { to: 3, run: (database) => database.exec(AGREEMENT) },
  {
    to: 4,
    run: (database, folder) => {
      database.exec(SIDE_TABLES);
      takeOverSideDatabases(database, folder);
    },
  },
  { to: 5, run: (database) => database.exec(GRANTS) },
];

/**
 * Adds the end of its log to each head of version 1. A head with a wrong checksum keeps it, and so
 * stays damaged.
 */
function rewriteHeads(database: DatabaseSync): void {
  const ends = database.prepare(
    'SELECT coalesce(max(pos), 0) AS pos, coalesce(max(seq), 0) AS seq FROM records WHERE session = ?',
  );
  const named = database.prepare(
    'SELECT type, message_id, pos FROM records WHERE session = ? AND message_id IS NOT NULL',
  );
  const change = database.prepare(
    'UPDATE sessions SET last_pos = ?2, last_seq = ?3, digest = ?4, checksum = ?5 WHERE key = ?1',
  );
  for (const row of database.prepare('SELECT * FROM sessions').all()) {
    if (firstChecksum(row) !== row['checksum']) continue;
    const key = integer(row, 'key');
    const end = ends.get(key) ?? {};
    const [lastPos, lastSeq] = [integer(end, 'pos'), integer(end, 'seq')];
    let digest = 0;
    for (const record of named.iterate(key)) {
      const name = { type: text(record, 'type'), messageId: text(record, 'message_id'), pos: 0 };
      digest = (digest ^ indexDigest(name)) >>> 0;
    }
    const info = {
      id: text(row, 'id'),
      createdAt: integer(row, 'created_at'),
      updatedAt: integer(row, 'updated_at'),
      workingFolder: text(row, 'working_folder'),
      title: text(row, 'title'),
      leaf: row['leaf'] === null ? null : text(row, 'leaf'),
      messages: integer(row, 'messages'),
      origin: null,
      offTheRecord: false,
      damage: '',
    };
    change.run(key, lastPos, lastSeq, digest, headChecksum({ info, lastPos, lastSeq, digest }));
  }
}

/** CRC-32 over all fields of a head of version 1. */
function firstChecksum(row: Row): number {
  const names = ['id', 'created_at', 'updated_at', 'working_folder', 'title', 'leaf', 'messages'];
  return crc32(JSON.stringify(names.map((name) => row[name])));
}

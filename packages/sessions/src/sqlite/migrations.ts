import type { DatabaseSync } from 'node:sqlite';
import { SEARCH_SCHEMA } from '../search/search-index.ts';
import { rewriteHeads } from './rewrite-heads.ts';

export interface Migration {
  /** The version it leads to, from the one before. */
  readonly to: number;
  /** Runs within a transaction. Must leave the rows of the log as they are. */
  readonly run: (database: DatabaseSync) => void;
}

/**
 * Version 2: forks, deletion, quarantine, search, what calls cost whose session is not to be known, and in each session's head the end of its log. Lists are
 * served from memory, so the index of sessions by time goes. Texts are indexed when they are first searched.
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
 * Version 3: up to where the audit log agrees with this database, and the sessions whose logs lost records. One row for each; the text of
 * both is the caller's.
 */
const AGREEMENT = `
CREATE TABLE agreement (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** In order. A step is never changed once released: databases it has made are out there. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    run: (database) => {
      database.exec(FORKS_AND_SEARCH);
      rewriteHeads(database);
    },
  },
  { to: 3, run: (database) => database.exec(AGREEMENT) },
];

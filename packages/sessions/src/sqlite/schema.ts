/** Version of the tables, kept in `PRAGMA user_version`. A database with a higher one is refused. */
export const SCHEMA_VERSION = 5;

/**
 * Since this version the tables of the sessions are unchanged: readers of these alone can read it.
 */
export const SESSIONS_VERSION = 3;

/** Marks a file as ours: `blkh` in ASCII, kept in `PRAGMA application_id`. */
export const APPLICATION_ID = 0x626c6b68;

/** Tables that rooms keep beside the sessions, each named after its room's part. */
const BESIDE_SESSIONS = [
  'labels',
  'labels_told',
  'labels_met',
  'labels_displaced',
  'labels_live',
  'callers_sessions',
  'callers_answers',
  'callers_responses',
  'approvals_tokens',
  'usage_totals',
  'memory_lines',
  'memory_proposals',
  'grants',
] as const;

/**
 * All objects of a database of `SCHEMA_VERSION`, by name: one that lacks any of them is damaged.
 */
export const SCHEMA_OBJECTS: readonly string[] = [
  'sessions',
  'records',
  'records_seq',
  'records_entry',
  'records_accepted',
  'records_settled',
  'records_labels',
  'records_model_calls',
  'tombstones',
  'unswept',
  'quarantine',
  'spendings',
  'search',
  'search_progress',
  'agreement',
  ...BESIDE_SESSIONS,
];

/**
 * The tables of version 1; `MIGRATIONS` make later ones from it, in new databases too, so that
 * there is only one way. `records` is the log; `sessions` holds changing data (leaf, title) and
 * names. The unique indexes finally enforce the order and that a message is accepted and settled
 * once.
 */
export const FIRST_SCHEMA = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  working_folder TEXT NOT NULL,
  title TEXT NOT NULL,
  leaf TEXT,
  messages INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_updated ON sessions (updated_at, key);

CREATE TABLE records (
  session INTEGER NOT NULL REFERENCES sessions (key),
  pos INTEGER NOT NULL,
  seq INTEGER,
  time INTEGER NOT NULL,
  turn TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  entry TEXT,
  parent TEXT,
  message_id TEXT,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (session, pos)
) STRICT;
CREATE UNIQUE INDEX records_seq ON records (session, seq) WHERE seq IS NOT NULL;
CREATE UNIQUE INDEX records_entry ON records (session, entry) WHERE entry IS NOT NULL;
CREATE UNIQUE INDEX records_accepted ON records (session, message_id) WHERE type = 'input_accepted';
CREATE UNIQUE INDEX records_settled ON records (session, message_id) WHERE type = 'settled';

CREATE TRIGGER records_no_update BEFORE UPDATE ON records
  BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
CREATE TRIGGER records_no_delete BEFORE DELETE ON records
  BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
`;

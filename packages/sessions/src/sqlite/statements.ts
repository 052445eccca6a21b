import type { DatabaseSync } from 'node:sqlite';

/** Every statement the store runs, prepared once per connection. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql);
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
    /** Changes when another connection has written. */
    dataVersion: prepare('PRAGMA data_version'),
    addSession: prepare(
      `INSERT INTO sessions (key, id, created_at, updated_at, working_folder, title, leaf, messages,
         origin_session, origin_entry, last_pos, last_seq, digest, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    sessions: prepare('SELECT * FROM sessions ORDER BY key'),
    sessionAt: prepare('SELECT * FROM sessions WHERE key = ?'),
    /** Answered by the index on ids alone: a second source for the list of sessions. */
    sessionIds: prepare('SELECT key, id FROM sessions INDEXED BY sqlite_autoindex_sessions_1'),
    changeSession: prepare(
      `UPDATE sessions SET updated_at = ?2, title = ?3, leaf = ?4, messages = ?5, last_pos = ?6, last_seq = ?7,
         digest = ?8, checksum = ?9 WHERE key = ?1`,
    ),
    quarantined: prepare('SELECT session, why FROM quarantine'),
    addQuarantine: prepare('INSERT OR IGNORE INTO quarantine (session, why) VALUES (?, ?)'),
    agreement: prepare('SELECT name, text FROM agreement'),
    setAgreement: prepare('INSERT OR REPLACE INTO agreement (name, text) VALUES (?, ?)'),
    removeAgreement: prepare('DELETE FROM agreement WHERE name = ?'),
    tombstones: prepare('SELECT key, id FROM tombstones'),
    addTombstone: prepare('INSERT INTO tombstones (key, id, time) VALUES (?, ?, ?)'),
    unswept: prepare('SELECT pending FROM unswept'),
    addUnswept: prepare('INSERT OR IGNORE INTO unswept (pending) VALUES (1)'),
    removeUnswept: prepare('DELETE FROM unswept'),
    removeRecords: prepare('DELETE FROM records WHERE session = ?'),
    removeSession: prepare('DELETE FROM sessions WHERE key = ?'),
    removeQuarantine: prepare('DELETE FROM quarantine WHERE session = ?'),
    addRecord: prepare(
      `INSERT INTO records (session, pos, seq, time, turn, type, version, entry, parent, message_id, body, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    recordsAfterPos: prepare('SELECT * FROM records WHERE session = ? AND pos > ? ORDER BY pos LIMIT ?'),
    recordsAfterSeq: prepare('SELECT * FROM records WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?'),
    recordsBefore: prepare('SELECT * FROM records WHERE session = ? AND pos < ? ORDER BY pos DESC'),
    entry: prepare('SELECT * FROM records WHERE session = ? AND entry = ?'),
    link: prepare('SELECT pos, parent, type FROM records WHERE session = ? AND entry = ?'),
    links: prepare(
      'SELECT pos, parent, type, entry FROM records WHERE session = ? AND entry IS NOT NULL ORDER BY pos',
    ),
    /** As `link`, without its index. */
    entryByScan: prepare('SELECT pos FROM records WHERE session = ? AND +entry = ? AND pos > 0'),
    labelMarks: prepare(`SELECT * FROM records WHERE session = ? AND type = 'label' ORDER BY pos`),
    accepted: prepare(
      `SELECT * FROM records WHERE session = ? AND message_id = ? AND type = 'input_accepted'`,
    ),
    settled: prepare(
      `SELECT 1 AS value FROM records WHERE session = ? AND message_id = ? AND type = 'settled'`,
    ),
    openInputs: prepare(
      `SELECT * FROM records a INDEXED BY records_accepted WHERE session = ? AND type = 'input_accepted' AND NOT EXISTS (
         SELECT 1 FROM records b WHERE b.session = a.session AND b.message_id = a.message_id AND b.type = 'settled'
       ) ORDER BY pos`,
    ),
    acceptedNames: prepare(
      `SELECT message_id FROM records INDEXED BY records_accepted WHERE session = ? AND type = 'input_accepted'`,
    ),
    settledNames: prepare(
      `SELECT message_id FROM records INDEXED BY records_settled WHERE session = ? AND type = 'settled'`,
    ),
    labelPlaces: prepare(
      `SELECT pos FROM records INDEXED BY records_labels WHERE session = ? AND type = 'label'`,
    ),
    modelCalls: prepare(
      `SELECT * FROM records INDEXED BY records_model_calls
       WHERE type = 'model_call' AND time >= ?1 AND time < ?2 AND (?3 IS NULL OR session = ?3)`,
    ),
    modelCallsByScan: prepare(
      `SELECT * FROM records NOT INDEXED WHERE session = ?3 AND type = 'model_call' AND time >= ?1 AND time < ?2`,
    ),
    addSpending: prepare(
      `INSERT INTO spendings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
       ON CONFLICT DO UPDATE SET calls = calls + ?4, failed = failed + ?5, input_tokens = input_tokens + ?6,
         output_tokens = output_tokens + ?7, cached_input_tokens = cached_input_tokens + ?8,
         reasoning_tokens = reasoning_tokens + ?9, cost = cost + ?10, unpriced = unpriced + ?11`,
    ),
    spendings: prepare('SELECT * FROM spendings ORDER BY day, purpose, model'),
    searchProgress: prepare('SELECT session, pos FROM search_progress'),
    setSearchProgress: prepare('INSERT OR REPLACE INTO search_progress (session, pos) VALUES (?, ?)'),
    removeSearchProgress: prepare('DELETE FROM search_progress WHERE session = ?'),
    clearSearchProgress: prepare('DELETE FROM search_progress'),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;

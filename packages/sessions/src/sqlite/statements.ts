import type { DatabaseSync } from 'node:sqlite';

/** Every statement the store runs, prepared once per connection. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql);
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
    addSession: prepare(
      `INSERT INTO sessions (id, created_at, updated_at, working_folder, title, leaf, messages, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    session: prepare('SELECT * FROM sessions WHERE id = ?'),
    sessions: prepare('SELECT * FROM sessions ORDER BY updated_at DESC, key DESC LIMIT ?'),
    countSessions: prepare('SELECT count(*) AS value FROM sessions'),
    changeSession: prepare(
      'UPDATE sessions SET updated_at = ?2, title = ?3, leaf = ?4, messages = ?5, checksum = ?6 WHERE key = ?1',
    ),
    lastPos: prepare('SELECT max(pos) AS value FROM records WHERE session = ?'),
    lastSeq: prepare('SELECT max(seq) AS value FROM records WHERE session = ? AND seq IS NOT NULL'),
    hasEntry: prepare('SELECT 1 AS value FROM records WHERE session = ? AND entry = ?'),
    addRecord: prepare(
      `INSERT INTO records (session, pos, seq, time, turn, type, version, entry, parent, message_id, body, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    recordsAfterPos: prepare('SELECT * FROM records WHERE session = ? AND pos > ? ORDER BY pos LIMIT ?'),
    recordsAfterSeq: prepare('SELECT * FROM records WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?'),
    branch: prepare(
      `WITH RECURSIVE walk (pos, parent) AS (
         SELECT pos, parent FROM records WHERE session = ?1 AND entry = ?2
         UNION ALL
         SELECT r.pos, r.parent FROM walk JOIN records r
           ON r.session = ?1 AND r.entry = walk.parent AND r.pos < walk.pos
       )
       SELECT r.* FROM walk JOIN records r ON r.session = ?1 AND r.pos = walk.pos ORDER BY r.pos`,
    ),
    accepted: prepare(
      `SELECT pos FROM records WHERE session = ? AND message_id = ? AND type = 'input_accepted'`,
    ),
    settled: prepare(
      `SELECT 1 AS value FROM records WHERE session = ? AND message_id = ? AND type = 'settled'`,
    ),
    seqBefore: prepare(
      `SELECT seq AS value FROM records WHERE session = ? AND pos < ? AND seq IS NOT NULL
       ORDER BY pos DESC LIMIT 1`,
    ),
    openInputs: prepare(
      `SELECT s.id AS session_id, a.* FROM records a JOIN sessions s ON s.key = a.session
       WHERE a.type = 'input_accepted' AND NOT EXISTS (
         SELECT 1 FROM records b WHERE b.session = a.session AND b.message_id = a.message_id AND b.type = 'settled'
       ) ORDER BY a.session, a.pos`,
    ),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;

import type { DatabaseSync } from 'node:sqlite';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError } from '@bulkhead/protocol';

/** How long a key stands for its request, in milliseconds. */
const DAY_MS = 86_400_000;
/** Keys of one caller within that time. */
const MAX_KEYS = 10_000;

export const ANSWER_TABLE = `CREATE TABLE IF NOT EXISTS answers (caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
     record TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (caller, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX IF NOT EXISTS answers_by_time ON answers (at);`;

/**
 * Keys of requests, for a day of confirmed time, with where their answers are: a clock that jumps drops none, so nothing that
 * is sent again runs twice [FT83].
 */
export function answerTable(
  database: DatabaseSync,
  time: Pick<ConfirmedTime, 'confirmed'>,
): Pick<CallerBook, 'answerOf' | 'keepAnswer'> {
  // Engines before confirmed time wrote wall time, which is far more: those keys count as from now.
  database.prepare('UPDATE answers SET at = ?1 WHERE at > ?1').run(Math.ceil(time.confirmed()));
  const now = () => Math.floor(time.confirmed());
  const select = database.prepare(
    'SELECT fingerprint, record FROM answers WHERE caller = ? AND key = ? AND at > ?',
  );
  const forget = database.prepare('DELETE FROM answers WHERE at <= ?');
  const count = database.prepare('SELECT count(*) AS keys FROM answers WHERE caller = ? AND key <> ?');
  const insert = database.prepare(
    `INSERT INTO answers (caller, key, fingerprint, record, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET record = excluded.record`,
  );
  return {
    answerOf: (caller, key) => {
      const { fingerprint, record } = select.get(caller, key, now() - DAY_MS) ?? {};
      if (typeof fingerprint !== 'string' || typeof record !== 'string') return undefined;
      return { fingerprint, record };
    },
    keepAnswer: (caller, key, { fingerprint, record }) => {
      forget.run(now() - DAY_MS);
      if (Number(count.get(caller, key)?.['keys']) >= MAX_KEYS) throw tooMany();
      // On the disk before its message is (`synchronous = FULL`): a power cut that left the message alone would have it run twice.
      insert.run(caller, key, fingerprint, record, now());
    },
  };
}

function tooMany(): BulkheadError {
  return new BulkheadError('rate_limit', `this token has used ${MAX_KEYS} idempotency keys within a day`, {
    fix: 'Leave the key out where a request is never sent again.',
    details: { status: 429, apiCode: 'rate_limit_exceeded', retryAfterSeconds: 3_600 },
  });
}

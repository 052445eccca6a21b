import type { DatabaseSync } from 'node:sqlite';
import type { CallerBook } from '@bulkhead/http';

/** In the order in which they were kept: the last of a session is the one that its conversation ends with. */
export const RESPONSE_TABLE = `CREATE TABLE IF NOT EXISTS responses (number INTEGER PRIMARY KEY, caller TEXT NOT NULL,
     response TEXT NOT NULL, session TEXT NOT NULL, time TEXT, UNIQUE (caller, response)) STRICT;
   CREATE INDEX IF NOT EXISTS responses_by_session ON responses (session, caller);`;

interface ResponseTable extends Pick<CallerBook, 'responseOf' | 'keepResponse'> {
  forget(sessionId: string): void;
}

/** Responses that programs may go on from, with where they are. */
export function responseTable(database: DatabaseSync): ResponseTable {
  const select = database.prepare(
    `SELECT session, time, number = (SELECT max(number) FROM responses AS other
       WHERE other.session = responses.session AND other.caller = responses.caller) AS last
     FROM responses WHERE caller = ? AND response = ?`,
  );
  const insert = database.prepare(
    'INSERT INTO responses (caller, response, session, time) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const remove = database.prepare('DELETE FROM responses WHERE session = ?');
  return {
    responseOf: (caller, response) => {
      const { session, time, last } = select.get(caller, response) ?? {};
      if (typeof session !== 'string') return undefined;
      return { sessionId: session, time: typeof time === 'string' ? time : undefined, isLast: last === 1 };
    },
    keepResponse: (caller, response, { sessionId, time }) => {
      insert.run(caller, response, sessionId, time ?? null);
    },
    forget: (sessionId) => void remove.run(sessionId),
  };
}

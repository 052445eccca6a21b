import { openOwnDatabase, writeOwn } from '@bulkhead/home/folder/open-own-database';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError, OWNER_CALLER } from '@bulkhead/protocol';
import { ANSWER_TABLE, answerTable } from './answer-table.ts';
import { RESPONSE_TABLE, responseTable } from './response-table.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS sessions (
    caller TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (caller, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sessions_by_session ON sessions (session);
  ${ANSWER_TABLE}
  ${RESPONSE_TABLE}`;

/** Which sessions are a program's, not the owner's: what the owner is remembered for is not told in them, nor changed from there. */
export interface ProgramSessions {
  /** True for what a program began, and for each fork of that. False for a session that nobody gave a name: it is the owner's. */
  isOfProgram(sessionId: string): boolean;
}

/**
 * Names that programs gave their sessions, responses they may go on from, and keys of their requests: each caller has its own.
 *
 * Files of earlier engines of this version hold places of responses among the names, under names that begin with a control character:
 * no caller can ask for one, and each stands for a session that has a row of its own, or for none. They are not read any more.
 */
export interface CallerDatabase
  extends ProgramSessions,
    Pick<CallerBook, 'answerOf' | 'keepAnswer' | 'responseOf' | 'keepResponse'>,
    Disposable {
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
  /**
   * Forgets a session with its names and responses. Only for one that is gone for good: from then on it counts as the owner's.
   * @throws BulkheadError `store_failed`
   */
  forget(sessionId: string): void;
}

/**
 * Opens the names at `path`, making the file if there is none.
 *
 * @param originOf the session that another is a fork of
 * @throws BulkheadError `store_corrupt`
 */
export function openCallerDatabase(
  path: string,
  time: Pick<ConfirmedTime, 'confirmed'>,
  originOf: (sessionId: string) => string | undefined,
): CallerDatabase {
  const database = openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    // A program's session whose row a power cut took would count as the owner's, and be told what only the owner is.
    synchronous: 'FULL',
    damaged: (reason, cause) =>
      new BulkheadError('store_corrupt', `the sessions of programs, ${path}, can't be read: ${reason}`, {
        cause,
        fix: 'Move the file away: programs begin new sessions; the old ones stay.',
      }),
  });
  const select = database.prepare('SELECT session FROM sessions WHERE caller = ? AND name = ?');
  const insert = database.prepare(
    'INSERT INTO sessions (caller, name, session) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET session = excluded.session',
  );
  const selectProgram = database.prepare('SELECT 1 FROM sessions WHERE session = ? AND caller <> ? LIMIT 1');
  const remove = database.prepare('DELETE FROM sessions WHERE session = ?');
  const answers = answerTable(database, time);
  const responses = responseTable(database);
  return {
    isOfProgram: (sessionId) => {
      for (let id: string | undefined = sessionId; id !== undefined; id = originOf(id))
        if (selectProgram.get(id, OWNER_CALLER) !== undefined) return true;
      return false;
    },
    sessionOf: (caller, name) => {
      const session = select.get(caller, name)?.['session'];
      return typeof session === 'string' ? session : undefined;
    },
    keep: (caller, name, sessionId) => void writeOwn(path, () => insert.run(caller, name, sessionId)),
    forget: (sessionId) =>
      writeOwn(path, () => {
        responses.forget(sessionId);
        remove.run(sessionId);
      }),
    responseOf: responses.responseOf,
    keepResponse: (caller, response, place) =>
      writeOwn(path, () => responses.keepResponse(caller, response, place)),
    answerOf: answers.answerOf,
    keepAnswer: (caller, key, answer) => writeOwn(path, () => answers.keepAnswer(caller, key, answer)),
    [Symbol.dispose]: () => database.close(),
  };
}

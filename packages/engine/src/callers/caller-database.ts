import { DatabaseSync } from 'node:sqlite';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError, type Clock, describeError } from '@bulkhead/protocol';
import { ANSWER_TABLE, answerTable } from './answer-table.ts';

/** Version of the table. Others are refused. */
const VERSION = 1;

/** The caller that all of the owner's ways in are. */
const OWNER = 'owner';

/** Which sessions are a program's, not the owner's: what the owner is remembered for is not told in them, nor changed from there. */
export interface ProgramSessions {
  /** False for a session that nobody gave a name: it is the owner's. */
  isOfProgram(sessionId: string): boolean;
}

/** Names that programs gave their sessions, and keys of their requests: each caller has its own. */
export interface CallerDatabase
  extends ProgramSessions,
    Pick<CallerBook, 'answerOf' | 'keepAnswer'>,
    Disposable {
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
}

/**
 * Opens the names at `path`, making the file if there is none.
 *
 * @throws BulkheadError `store_corrupt`
 */
export function openCallerDatabase(path: string, clock: Pick<Clock, 'now'>): CallerDatabase {
  const database = open(path);
  const select = database.prepare('SELECT session FROM sessions WHERE caller = ? AND name = ?');
  const insert = database.prepare(
    'INSERT INTO sessions (caller, name, session) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET session = excluded.session',
  );
  const selectProgram = database.prepare('SELECT 1 FROM sessions WHERE session = ? AND caller <> ? LIMIT 1');
  const answers = answerTable(database, clock);
  const writing = <Value>(write: () => Value): Value => {
    try {
      return write();
    } catch (cause) {
      if (BulkheadError.is(cause)) throw cause;
      throw new BulkheadError('store_failed', `can't write to ${path}: ${describeError(cause)}`, { cause });
    }
  };
  return {
    isOfProgram: (sessionId) => selectProgram.get(sessionId, OWNER) !== undefined,
    sessionOf: (caller, name) => {
      const session = select.get(caller, name)?.['session'];
      return typeof session === 'string' ? session : undefined;
    },
    keep: (caller, name, sessionId) => void writing(() => insert.run(caller, name, sessionId)),
    answerOf: answers.answerOf,
    keepAnswer: (caller, key, answer) => writing(() => answers.keepAnswer(caller, key, answer)),
    [Symbol.dispose]: () => database.close(),
  };
}

/** `synchronous = FULL`: a program's session whose row a power cut took would count as the owner's, and be told what only the owner is. */
function open(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version !== 0 && version !== VERSION)
      throw new Error(`it has version ${String(version)}, and this engine knows ${VERSION}`);
    database.exec(
      `CREATE TABLE IF NOT EXISTS sessions (caller TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL,
         PRIMARY KEY (caller, name)) STRICT, WITHOUT ROWID;
       ${ANSWER_TABLE}
       CREATE INDEX IF NOT EXISTS sessions_by_session ON sessions (session);
       PRAGMA user_version = ${VERSION}`,
    );
    return database;
  } catch (cause) {
    database?.close();
    throw new BulkheadError(
      'store_corrupt',
      `the sessions of programs, ${path}, can't be read: ${describeError(cause)}`,
      {
        cause,
        fix: 'Move the file away: programs begin new sessions; the old ones stay.',
      },
    );
  }
}

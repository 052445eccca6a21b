import { BulkheadError } from '@bulkhead/protocol';
import { openOwnDatabase, writeOwn } from '../home/open-own-database.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS sessions (
    caller TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (caller, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sessions_by_session ON sessions (session)`;

/** The caller that all of the owner's ways in are. */
const OWNER = 'owner';

/** Which sessions are a program's, not the owner's: what the owner is remembered for is not told in them, nor changed from there. */
export interface ProgramSessions {
  isOfProgram(sessionId: string): boolean;
}

/** Names that programs gave their sessions: each caller has names of its own. */
export interface CallerDatabase extends ProgramSessions, Disposable {
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
}

/**
 * Opens the names at `path`, making the file if there is none.
 *
 * @throws BulkheadError `store_corrupt`
 */
export function openCallerDatabase(path: string): CallerDatabase {
  const database = openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    // A power cut may take the last names, and their next messages begin sessions of their own.
    synchronous: 'NORMAL',
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
  return {
    isOfProgram: (sessionId) => selectProgram.get(sessionId, OWNER) !== undefined,
    sessionOf: (caller, name) => {
      const session = select.get(caller, name)?.['session'];
      return typeof session === 'string' ? session : undefined;
    },
    keep: (caller, name, sessionId) => void writeOwn(path, () => insert.run(caller, name, sessionId)),
    [Symbol.dispose]: () => database.close(),
  };
}

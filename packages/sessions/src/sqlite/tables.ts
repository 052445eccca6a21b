import type { StatementSync } from 'node:sqlite';
import type { Connection } from './connection.ts';

/**
 * The one database, as the rooms see it that keep facts beside the sessions. Each has tables of its own, named
 * after it in `migrations.ts`, and reads and writes no others.
 */
export interface Tables {
  /** Of the file, for messages. */
  readonly path: string;
  prepare(sql: string): StatementSync;
  /**
   * Makes a change, whole or not at all. Within another change, it is part of that one.
   * @param durable true: on the disk when this returns, with all that was committed before. False: a loss of power
   *   may take it, but not what was committed before it alone.
   * @throws BulkheadError `store_failed`; what `change` throws
   */
  write<T>(durable: boolean, change: () => T): T;
  /** Adds a change that is part of each deletion of a session. */
  onSessionDeleted(remove: (sessionId: string) => void): void;
}

/** The tables of an open database. @returns what to call within the deletion of a session, too */
export function createTables({ database, path, guard, write }: Connection): {
  readonly tables: Tables;
  readonly deleted: (sessionId: string) => void;
} {
  const removals: ((sessionId: string) => void)[] = [];
  return {
    tables: {
      path,
      prepare: (sql) => guard(() => database.prepare(sql)),
      write,
      onSessionDeleted: (remove) => void removals.push(remove),
    },
    deleted: (sessionId) => {
      for (const remove of removals) remove(sessionId);
    },
  };
}

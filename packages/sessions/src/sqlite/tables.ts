import type { StatementSync } from 'node:sqlite';
import type { Connection } from './connection.ts';

/**
 * The shared database for rooms that keep data beside the sessions. Each has its own tables, named
 * after it in `migrations.ts`, and uses no others.
 */
export interface Tables {
  /** Of the file, for messages. */
  readonly path: string;
  prepare(sql: string): StatementSync;
  /**
   * Makes a change atomically. Within another change, it is part of that one.
   * @param durable true: on disk when this returns, with all earlier commits. False: a loss of
   *   power may lose it, but never without losing all later commits.
   * @throws BulkheadError `store_failed`; errors of `change`
   */
  write<T>(durable: boolean, change: () => T): T;
  /** Adds a change that is part of each deletion of a session. */
  onSessionDeleted(remove: (sessionId: string) => void): void;
}

/**
 * The tables of an open database. @returns also a function to call within the deletion of a session
 */
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

import { DatabaseSync } from 'node:sqlite';
import { SIDE_TABLES } from '../sqlite/migrations.ts';
import { createSqliteSessionStore, type SqliteStore } from '../sqlite/sqlite-session-store.ts';
import type { Tables } from '../sqlite/tables.ts';
import { storeClosed } from '../store-errors.ts';

/** The tables alone, in memory: a simulation makes thousands of them. */
export function memoryTables(): Tables & Disposable {
  const database = new DatabaseSync(':memory:');
  database.exec(SIDE_TABLES);
  return {
    path: ':memory:',
    prepare: (sql) => database.prepare(sql),
    write: (_durable, change) => {
      if (!database.isOpen) throw storeClosed();
      if (database.isTransaction) return change();
      database.exec('BEGIN');
      try {
        const result = change();
        database.exec('COMMIT');
        return result;
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK');
      }
    },
    onSessionDeleted: () => {},
    [Symbol.dispose]: () => database.close(),
  };
}

/** The database at `path` as the product opens it, made if there is none. */
export function openTables(
  path: string,
): Disposable & { readonly store: SqliteStore; readonly tables: Tables } {
  // Tests of races hold it from several processes.
  const store = createSqliteSessionStore(path, { busyTimeout: 10_000 });
  return { store, tables: store.tables, [Symbol.dispose]: () => store.close() };
}

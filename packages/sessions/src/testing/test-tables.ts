import { DatabaseSync } from 'node:sqlite';
import { connect } from '../sqlite/connection.ts';
import { applyMigrations } from '../sqlite/migrate.ts';
import { FIRST_SCHEMA } from '../sqlite/schema.ts';
import { createSqliteSessionStore, type SqliteStore } from '../sqlite/sqlite-session-store.ts';
import { createTables, type Tables } from '../sqlite/tables.ts';

/** The tables of a database that no other connection shares, and that ends with the test. */
export function memoryTables(): Tables & Disposable {
  const database = new DatabaseSync(':memory:');
  database.exec(`${FIRST_SCHEMA} PRAGMA user_version = 1`);
  applyMigrations(database, '/nowhere', 1);
  const { tables } = createTables(connect(database, ':memory:'));
  return { ...tables, [Symbol.dispose]: () => database.close() };
}

/** The database at `path` as the product opens it, made if there is none. */
export function openTables(
  path: string,
): Disposable & { readonly store: SqliteStore; readonly tables: Tables } {
  // Tests of races hold it from several processes.
  const store = createSqliteSessionStore(path, { busyTimeout: 10_000 });
  return { store, tables: store.tables, [Symbol.dispose]: () => store.close() };
}

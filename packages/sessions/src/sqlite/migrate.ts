import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backUp } from './back-up.ts';
import { pragma } from './database-file.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Migrates the database at `path`, after making a copy beside it. Each step is one transaction with
 * its version number: after an interruption, the database is before or after a step and the next
 * start continues there.
 * @param reached called at each point where it may be interrupted
 */
export function migrateFile(
  path: string,
  version: number,
  busyTimeout: number,
  reached: (point: string) => void,
): void {
  const database = new DatabaseSync(path, { timeout: busyTimeout });
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    reached('opened');
    backUp(database, path, version, reached);
    applyMigrations(database, dirname(path), version, reached);
  } finally {
    database.close();
  }
}

/** Runs the steps after `version`. @param folder that the database lies in */
export function applyMigrations(
  database: DatabaseSync,
  folder: string,
  version: number,
  reached: (point: string) => void = () => {},
): void {
  for (const { to, run } of MIGRATIONS.filter((migration) => migration.to > version)) {
    database.exec('BEGIN IMMEDIATE');
    try {
      reached(`begun ${to}`);
      if (pragma(database, 'user_version') === to - 1) run(database, folder);
      reached(`done ${to}`);
      database.exec(`PRAGMA user_version = ${to}; COMMIT`);
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    reached(`committed ${to}`);
  }
}

import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCut, makeEmpty, pragma, sync } from './database-file.ts';
import { APPLICATION_ID } from './schema.ts';

/**
 * Writes a copy of an open database beside it as `<path>.v<version>.bak`, including its write-ahead
 * log. An existing complete copy is kept: it is from before the first attempt.
 */
export function backUp(
  database: DatabaseSync,
  path: string,
  version: number,
  reached: (point: string) => void,
): void {
  const backup = `${path}.v${version}.bak`;
  if (isWhole(backup, version)) return;
  const fresh = `${backup}.new`;
  makeEmpty(fresh);
  reached('backup begun');
  database.prepare('VACUUM INTO ?').run(fresh);
  reached('backup written');
  sync(fresh);
  renameSync(fresh, backup);
  sync(dirname(path));
  reached('backup named');
}

function isWhole(backup: string, version: number): boolean {
  if (!existsSync(backup) || isCut(backup)) return false;
  try {
    const database = new DatabaseSync(backup, { readOnly: true });
    try {
      const ours = pragma(database, 'application_id') === APPLICATION_ID;
      return (
        ours &&
        pragma(database, 'user_version') === version &&
        pragma(database, 'integrity_check(1)') === 'ok'
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

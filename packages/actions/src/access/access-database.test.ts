import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Grant, openAccessDatabase } from './access-database.ts';

let folder: string;
const path = () => join(folder, 'access.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-access-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const grant: Grant = {
  id: 'g',
  kind: 'program',
  name: 'x',
  hash: new Uint8Array(32),
  created: 1,
  used: undefined,
  expires: undefined,
  ends: undefined,
};

describe('the database of those who may come in', () => {
  it('is made private, and kept, also if it was made otherwise', () => {
    {
      using database = openAccessDatabase(path());
      database.add(grant);
      for (const name of ['access.db', 'access.db-wal'])
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    chmodSync(path(), 0o644);
    using again = openAccessDatabase(path());
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(again.all()).toEqual([grant]);
  });

  it('is refused in another version, as no database, and with a row that is none', () => {
    openAccessDatabase(path())[Symbol.dispose]();
    const raw = new DatabaseSync(path());
    raw.exec("INSERT INTO grants VALUES ('g', 'guest', '', x'00', 1, NULL, NULL)");
    expect(() => openAccessDatabase(path())).toThrow('a row is not what this engine writes');
    raw.exec('DELETE FROM grants; PRAGMA user_version = 9');
    expect(() => openAccessDatabase(path())).toThrow('it has version 9, and this engine knows 1');
    // The file was left unchanged.
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: 9 });
    raw.close();
    writeFileSync(path(), 'no database, and long enough to be looked at as one'.repeat(50));
    expect(() => openAccessDatabase(path())).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });

  it('says what could not be written, and what to do', () => {
    using database = openAccessDatabase(path());
    database.add(grant);
    expect(() => database.add(grant)).toThrow(
      expect.objectContaining({ code: 'store_failed', fix: expect.stringContaining('disk') }),
    );
  });
});

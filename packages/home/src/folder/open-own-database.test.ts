import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OwnDatabase, openOwnDatabase, writeOwn } from './open-own-database.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-own-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = (more: Partial<OwnDatabase> = {}): OwnDatabase => ({
  path: join(folder, 'own.db'),
  version: 2,
  tables: 'CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY) STRICT',
  synchronous: 'FULL',
  damaged: (reason, cause) => new BulkheadError('store_corrupt', reason, { cause, fix: 'Move it away.' }),
  ...more,
});

describe("a database of the engine's own", () => {
  it('is made private, kept, and flushed as it is told', () => {
    const database = openOwnDatabase(own());
    database.exec("INSERT INTO words VALUES ('a')");
    for (const name of ['own.db', 'own.db-wal'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    database.close();
    chmodSync(own().path, 0o644);
    const again = openOwnDatabase(own({ synchronous: 'NORMAL' }));
    expect(statSync(own().path).mode & 0o777).toBe(0o600);
    expect(again.prepare('SELECT word FROM words').all()).toEqual([{ word: 'a' }]);
    expect(again.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
    again.close();
  });

  it('is refused in a newer version, as no database, and with what its reader does not take', () => {
    openOwnDatabase(own({ version: 3 })).close();
    expect(() => openOwnDatabase(own())).toThrow('it has version 3, and this engine knows 2');
    // It was left as it is.
    const left = new DatabaseSync(own().path);
    expect(left.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
    left.close();
    const path = join(folder, 'text');
    writeFileSync(path, 'no database, and long enough to be looked at as one'.repeat(50));
    expect(() => openOwnDatabase(own({ path }))).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
    const check = () => {
      throw new Error('a row is odd');
    };
    expect(() => openOwnDatabase(own({ version: 3, check }))).toThrow('a row is odd');
  });

  it('says what could not be written, and what to do', () => {
    using database = openOwnDatabase(own({ path: ':memory:' }));
    const twice = () => writeOwn('x.db', () => database.exec("INSERT INTO words VALUES ('a')"));
    twice();
    expect(twice).toThrow(
      expect.objectContaining({ code: 'store_failed', fix: expect.stringContaining('disk') }),
    );
  });
});

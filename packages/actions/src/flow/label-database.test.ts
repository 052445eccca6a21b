import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLabelDatabase } from './label-database.ts';

const FOREIGN = { secrecy: 'internal', trust: 'external' } as const;
const SECRET = { secrecy: 'restricted', trust: 'workspace' } as const;

let folder: string;
const path = () => join(folder, 'labels.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-labels-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('openLabelDatabase', () => {
  it('has every label again after it was closed, kind by kind [F2]', () => {
    {
      using database = openLabelDatabase(path());
      database.of('file').set('/w/a', FOREIGN);
      database.of('file').set('/w/gone', SECRET);
      database.of('file').set('/w/gone', undefined);
      database.of('file').copy('/w', '/copy');
      database.of('file').move('/copy', '/moved');
      database.of('session').set('/w/a', SECRET);
    }
    using again = openLabelDatabase(path());
    expect(again.of('file').entries()).toEqual([
      ['/moved/a', FOREIGN],
      ['/w/a', FOREIGN],
    ]);
    expect(again.of('session').get('/w/a')).toEqual(SECRET);
    expect(again.of('store').entries()).toEqual([]);
  });

  it('can be read by its owner alone, with what lies beside it, also if it was made otherwise', () => {
    const modes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    {
      using database = openLabelDatabase(path());
      database.of('file').set('/w/a', FOREIGN);
      expect(modes()).toEqual([0o600, 0o600, 0o600]);
    }
    chmodSync(path(), 0o644);
    using again = openLabelDatabase(path());
    expect(again.of('file').entries()).toHaveLength(1);
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
  });

  it('has the history of each session again, until it is forgotten [D4]', () => {
    {
      using database = openLabelDatabase(path());
      database.history.tell('s', 7);
      database.history.tell('s', 9);
      database.history.meet('s', 8, FOREIGN);
      database.history.tell('other', 1);
    }
    using again = openLabelDatabase(path());
    expect(again.history.sessions()).toEqual(['other', 's']);
    expect(again.history.toldUpTo('s')).toBe(9);
    expect(again.history.met('s', 8)).toEqual(FOREIGN);
    again.history.forget('s');
    expect([again.history.toldUpTo('s'), again.history.met('s', 8)]).toEqual([0, undefined]);
    expect(again.history.sessions()).toEqual(['other']);
  });

  it('refuses what is no database of its own', () => {
    writeFileSync(path(), 'not a database, and longer than the header of one would have to be to be read');
    expect(() => openLabelDatabase(path())).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });

  it('refuses another version, and labels that are none', () => {
    openLabelDatabase(path())[Symbol.dispose]();
    const raw = new DatabaseSync(path());
    raw.exec("INSERT INTO labels VALUES ('file', '/w/a', 'unheard of', 'user')");
    using database = openLabelDatabase(path());
    expect(() => database.of('file')).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
    raw.exec('PRAGMA user_version = 9');
    raw.close();
    expect(() => openLabelDatabase(path())).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });
});

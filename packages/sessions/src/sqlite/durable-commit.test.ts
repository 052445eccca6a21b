import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plain, temporaryFolder } from '../testing.ts';
import { connect } from './connection.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

/** Values of `PRAGMA synchronous`. */
const NORMAL = 1;
const FULL = 2;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  folder[Symbol.dispose]();
});

describe('a commit of the session log', () => {
  it('is flushed where it was asked for, and only there [S4] [FT79]', () => {
    using database = openDatabase(`${folder.path}/s.db`, 1_000);
    const connection = connect(database, 'sessions.db');
    const during = (durable: boolean): unknown =>
      connection.write(durable, () => database.prepare('PRAGMA synchronous').get()?.['synchronous']);
    expect([true, false, false, true, false, true].map(during)).toEqual([
      FULL,
      NORMAL,
      NORMAL,
      FULL,
      NORMAL,
      FULL,
    ]);
  });

  it('is a flushed one for whatever is appended, unless the caller says that it may be lost [S4] [FT79]', () => {
    const store = createSqliteSessionStore(`${folder.path}/s.db`);
    store.createSession({ id: 's', workingFolder: '/w', time: 1 });
    const said = vi.spyOn(DatabaseSync.prototype, 'exec');
    const modes = () =>
      said.mock.calls.flatMap(([sql]) => /PRAGMA synchronous = (\w+)/.exec(sql)?.slice(1) ?? []);
    store.append('s', [plain('note-a', true)], { durable: false });
    expect(modes()).toEqual(['NORMAL']);
    store.append('s', [plain('note-b', true)]);
    expect(modes()).toEqual(['NORMAL', 'FULL']);
    store.append('s', [plain('note-c', true)], { durable: true });
    expect(modes()).toEqual(['NORMAL', 'FULL']);
    store.close();
  });
});

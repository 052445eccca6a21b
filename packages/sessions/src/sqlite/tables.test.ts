import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing.ts';
import { createSqliteSessionStore, type SqliteStore } from './sqlite-session-store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: SqliteStore;
beforeEach(() => {
  folder = temporaryFolder();
  store = createSqliteSessionStore(join(folder.path, 'bulkhead.db'));
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

const days = () => store.tables.prepare('SELECT day FROM usage_totals ORDER BY day').all();
const add = (day: string) =>
  store.tables.prepare("INSERT INTO usage_totals VALUES (?, 'chat', 1, 0)").run(day);
const level = () => store.tables.prepare('PRAGMA synchronous').get()?.['synchronous'];

describe('the tables beside the sessions', () => {
  it('are changed whole or not at all, within a change, too', () => {
    const { tables } = store;
    const half = () =>
      tables.write(true, () => {
        tables.write(true, () => add('a'));
        throw new Error('no further');
      });
    expect(half).toThrow('no further');
    expect(days()).toEqual([]);
    tables.write(true, () => tables.write(false, () => add('b')));
    expect(days()).toEqual([{ day: 'b' }]);
  });

  it('flush what has to be, and refuse it where that was not decided at the beginning', () => {
    const { tables } = store;
    expect(tables.write(true, level)).toBe(2);
    expect(tables.write(false, level)).toBe(1);
    expect(() => tables.write(false, () => tables.write(true, () => add('a')))).toThrow('durable');
    expect(days()).toEqual([]);
  });

  it('lose what is kept of a session in its deletion, or keep both [D4]', () => {
    store.createSession({ id: 's', workingFolder: '/w', time: 1 });
    store.tables.write(true, () => add('s'));
    let fails = true;
    store.tables.onSessionDeleted((id) => {
      store.tables.prepare('DELETE FROM usage_totals WHERE day = ?').run(id);
      if (fails) throw new Error('no further');
    });
    expect(() => store.deleteSession('s', 2)).toThrow('no further');
    expect([store.getSession('s')?.id, days()]).toEqual(['s', [{ day: 's' }]]);
    fails = false;
    store.deleteSession('s', 2);
    expect([store.getSession('s'), days()]).toEqual([undefined, []]);
  });

  it('say of a change that a full or foreign file refuses where it was, and what to do', () => {
    add('a');
    expect(() => store.tables.write(true, () => add('a'))).toThrow(
      expect.objectContaining({ code: 'store_failed', details: { path: store.tables.path } }),
    );
  });

  it('are private, with what lies beside them, also if they were made otherwise', () => {
    const { path } = store.tables;
    store.close();
    chmodSync(path, 0o644);
    store = createSqliteSessionStore(path);
    for (const suffix of ['', '-wal']) expect(statSync(`${path}${suffix}`).mode & 0o777).toBe(0o600);
  });
});

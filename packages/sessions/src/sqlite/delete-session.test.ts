import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionStore } from '../session-store.ts';
import { accepted, codeOf, entry, mark, plain, temporaryFolder, userMessage } from '../testing.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let store: SessionStore;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'sessions.db');
  store = createSqliteSessionStore(path, { busyTimeout: 100 });
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

function onDisk(): string {
  return readdirSync(folder.path)
    .map((file) => readFileSync(join(folder.path, file), 'latin1'))
    .join('');
}

/** Sessions that grow in turns, so that their rows share pages, with short and long bodies and many words. */
function fill(names: readonly string[], rounds: number): void {
  for (const name of names) store.createSession({ id: name, workingFolder: `/${name}folder`, time: 1 });
  const grown = new Map<string, number>();
  for (let step = 0; step < rounds * names.length; step++) {
    for (const name of names.filter((_, at) => (step * 7 + at * 5) % (at + 2) === 0)) {
      const n = grown.get(name) ?? 0;
      grown.set(name, n + 1);
      const parent = n === 0 ? null : `${name}-e${n - 1}`;
      const length = n % 13 === 0 ? 3000 : n % 37;
      const text = `${name}word${n} ${`${name}text `.repeat(length)}`;
      const records = [
        entry(`${name}-e${n}`, parent, userMessage(text)),
        accepted(`${name}-m${n}`),
        { ...plain(`${name}-type`, true), turn: `${name}-turn` },
        mark('label', `${name}-l${n}`, `${name}-e${n}`, { label: `${name}label${n}` }),
      ];
      store.append(name, records, { title: `${name}title${n}`.repeat(1 + (n % 5)), durable: n % 3 === 0 });
    }
  }
}

describe('a deleted session', () => {
  it('is gone from the database and its log, byte by byte [D4]', () => {
    const names = ['zqfirst', 'zqsecond', 'zqthird', 'zqkept'];
    fill(names, 120);
    expect(store.search('zqsecondword7', 5).length).toBeGreaterThan(0);
    for (const [done, name] of ['zqsecond', 'zqfirst', 'zqthird'].entries()) {
      expect(onDisk()).toContain(`${name}text`);
      store.deleteSession(name, 5);
      expect(statSync(`${path}-wal`).size).toBeLessThan(10_000);
      // The id itself is kept, once as the tombstone and once in its index.
      const left = onDisk().split(name.slice(2)).length - 1;
      expect([done, left]).toEqual([done, 2]);
    }
    expect(store.records('zqkept', { pos: 0 }).length).toBeGreaterThan(300);
    expect(store.search('zqkeptword7', 99).length).toBeGreaterThan(0);
    store.close();
    expect(onDisk()).toContain('zqkepttext');
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.exec(`INSERT INTO search (search) VALUES ('integrity-check')`);
    database.close();
  });

  it('leaves the log of every other session unchangeable', () => {
    fill(['a', 'b'], 3);
    store.deleteSession('b', 5);
    store.createSession({ id: 'c', workingFolder: '/w', time: 1 });
    store.append('c', [plain('x', true)]);
    const database = new DatabaseSync(path);
    const refused = (sql: string): void => expect(() => database.exec(sql)).toThrow(/never/);
    for (const session of database.prepare('SELECT key FROM sessions').all()) {
      refused(`DELETE FROM records WHERE session = ${session['key']}`);
      refused(`UPDATE records SET body = '{}' WHERE session = ${session['key']}`);
      refused(`DELETE FROM sessions WHERE key = ${session['key']}`);
      refused(`UPDATE sessions SET id = 'b' WHERE key = ${session['key']}`);
    }
    refused('DELETE FROM tombstones');
    refused('UPDATE tombstones SET time = 1');
    refused(
      `INSERT INTO sessions (key, id, created_at, updated_at, working_folder, title, messages, checksum)
       VALUES (9, 'b', 1, 1, '', '', 0, 0)`,
    );
    database.close();
  });

  it('never comes back, also after the store was closed', () => {
    fill(['a'], 1);
    store.deleteSession('a', 5);
    store.close();
    store = createSqliteSessionStore(path);
    expect(codeOf(() => store.createSession({ id: 'a', workingFolder: '/w', time: 1 }))).toBe('internal');
    store.createSession({ id: 'b', workingFolder: '/w', time: 1 });
    expect(store.records('b', { pos: 0 })).toEqual([]);
  });

  it('says so if another program keeps the old text in the log, and sweeps when it is opened again [D4]', () => {
    fill(['a'], 2);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM records').get();
    expect(() => store.deleteSession('a', 5)).toThrow('its old text is still in');
    expect(store.getSession('a')).toBeUndefined();
    expect(onDisk()).toContain('atext');
    reader.exec('ROLLBACK');
    reader.close();
    store.close();
    store = createSqliteSessionStore(path);
    expect(onDisk()).not.toContain('atext');
  });
});

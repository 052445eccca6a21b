import { copyFileSync, existsSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksum } from '../record-row.ts';
import { everything, makeDatabase } from '../testing/sample-database.ts';
import { codeOf, entry, plain, temporaryFolder } from '../testing.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'sessions.db');
});
afterEach(() => folder[Symbol.dispose]());

describe('the SQLite session store', () => {
  describe('given a file it must not touch', () => {
    const refuses = (code: string, because: RegExp): void => {
      const before = readFileSync(path);
      expect(() => createSqliteSessionStore(path)).toThrow(because);
      expect(codeOf(() => createSqliteSessionStore(path))).toBe(code);
      expect(readFileSync(path).equals(before)).toBe(true);
    };

    it('refuses a newer database and says so [S4]', () => {
      makeDatabase(path);
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 6');
      database.close();
      refuses('not_available', /sessions\.db has version 6; this program knows up to 5/);
    });

    it('leaves a newer database alone that was not closed, log included [S4]', () => {
      const live = join(folder.path, 'live.db');
      const store = createSqliteSessionStore(live);
      store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      const other = new DatabaseSync(live);
      other.exec('PRAGMA user_version = 6');
      for (const suffix of ['', '-wal']) copyFileSync(`${live}${suffix}`, `${path}${suffix}`);
      other.close();
      store.close();
      const log = readFileSync(`${path}-wal`);
      refuses('not_available', /has version 6/);
      expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
    });

    it('refuses a file that is no database [S4]', () => {
      writeFileSync(path, 'hello '.repeat(1000));
      refuses('store_corrupt', /sessions\.db is damaged/);
    });

    it('refuses an empty file [S4]', () => {
      writeFileSync(path, '');
      refuses('store_corrupt', /sessions\.db is damaged: the file is empty/);
    });

    it('refuses a database of another program [S4]', () => {
      const database = new DatabaseSync(path);
      database.exec('CREATE TABLE mine (x)');
      database.close();
      refuses('store_corrupt', /not a session database of Bulkhead/);
    });

    it('refuses to start anew beside the log of a file that is gone [S4]', () => {
      writeFileSync(`${path}-wal`, 'something');
      expect(codeOf(() => createSqliteSessionStore(path))).toBe('store_corrupt');
      expect(existsSync(path)).toBe(false);
    });

    it('refuses a file that was cut short, wherever [S4]', () => {
      makeDatabase(path);
      const whole = readFileSync(path);
      for (let size = 1; size < whole.length; size += 1021) {
        writeFileSync(path, whole);
        truncateSync(path, size);
        refuses('store_corrupt', /sessions\.db is damaged/);
      }
    });
  });

  it('gives what was written or an error, whichever bit flips [S4]', () => {
    const before = makeDatabase(path);
    const whole = readFileSync(path);
    let errors = 0;
    for (let at = 20; at < whole.length; at += sweepOf(1_051, 211)) {
      const flipped = Buffer.from(whole);
      flipped[at] = (whole[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, flipped);
      try {
        const store = createSqliteSessionStore(path);
        try {
          expect(everything(store)).toBe(before);
        } finally {
          store.close();
        }
      } catch (error) {
        expect(
          codeOf(() => {
            throw error;
          }),
        ).toMatch(/^(store_corrupt|not_available|store_failed)$/);
        errors += 1;
      }
      for (const suffix of ['-wal', '-shm'])
        if (existsSync(`${path}${suffix}`)) unlinkSync(`${path}${suffix}`);
    }
    expect(errors).toBeGreaterThan(sweepOf(10, 50));
  });

  it('opens other sessions when one is damaged [S4]', () => {
    makeDatabase(path);
    const database = new DatabaseSync(path);
    database.exec(
      `DROP TRIGGER records_no_update; UPDATE records SET body = '{"text":"forged"}' WHERE session = 1 AND pos = 5`,
    );
    database.close();
    const store = createSqliteSessionStore(path);
    expect(() => store.records('s', { pos: 0 })).toThrow(
      'record 5 of session s is damaged: its checksum does not match',
    );
    expect(codeOf(() => store.records('s', { pos: 0 }))).toBe('store_corrupt');
    expect(store.records('other', { pos: 0 })).toHaveLength(35);
    store.close();
  });

  describe('given rows that were changed by hand', () => {
    const change = (sql: string, ...values: (string | number)[]): void => {
      makeDatabase(path);
      const database = new DatabaseSync(path);
      database.exec('DROP TRIGGER records_no_update; DROP TRIGGER records_no_delete');
      database.prepare(sql).run(...values);
      database.close();
    };

    it('misses a record that was taken out [S4]', () => {
      change('DELETE FROM records WHERE session = 1 AND pos = 7');
      const store = createSqliteSessionStore(path);
      expect(() => store.records('s', { pos: 0 })).toThrow(
        'record 8 of session s is damaged: a record before it',
      );
      expect(codeOf(() => store.records('s', { seq: 0 }))).toBe('store_corrupt');
      expect(store.records('other', { pos: 0 })).toHaveLength(35);
      store.close();
    });

    it.each(['working_folder', 'title', 'leaf'])(
      'does not believe a session whose %s was changed [S4]',
      (column) => {
        change(`UPDATE sessions SET ${column} = ? WHERE id = ?`, '/etc', 's');
        const store = createSqliteSessionStore(path);
        expect(store.getSession('s')?.damage).toContain('the head of session s is damaged');
        expect(codeOf(() => store.append('s', [plain('a', true)]))).toBe('store_corrupt');
        expect(store.getSession('other')?.title).toBe('about other');
        store.close();
      },
    );

    it('does not follow entries in a circle [S4]', () => {
      const store = createSqliteSessionStore(path);
      store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      const [first] = store.append('s', [entry('a', null), entry('b', 'a')]);
      store.close();
      if (first === undefined) throw new Error('nothing was stored');
      const { body, ...fields } = { ...first, parent: 'b' };
      const database = new DatabaseSync(path);
      database.exec('DROP TRIGGER records_no_update');
      const update = database.prepare('UPDATE records SET parent = ?, checksum = ? WHERE pos = 1');
      update.run('b', checksum({ ...fields, text: JSON.stringify(body) }));
      database.close();
      const again = createSqliteSessionStore(path);
      expect(codeOf(() => again.branch('s', 'b'))).toBe('store_corrupt');
      again.close();
    });
  });
});

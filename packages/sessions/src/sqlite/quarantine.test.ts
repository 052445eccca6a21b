import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksum } from '../record-row.ts';
import { makeFourSessions } from '../testing/four-sessions.ts';
import { codeOf, plain, temporaryFolder } from '../testing.ts';
import { checkDatabase } from './check-database.ts';
import { readRecord } from './read-row.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

const PAGE = 4096;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'sessions.db');
});
afterEach(() => folder[Symbol.dispose]());

describe('a session under quarantine', () => {
  /** Changes the body of one record of `bee`, bypassing the store. */
  const forge = (): void => {
    makeFourSessions(path);
    const database = new DatabaseSync(path);
    database.exec(
      `DROP TRIGGER records_no_update; UPDATE records SET body = '{"forged":1}' WHERE session = 2 AND pos = 9`,
    );
    database.close();
  };

  it('is closed permanently, and the others go on [S4] [FT82]', () => {
    forge();
    let store = createSqliteSessionStore(path);
    expect(store.getSession('bee')?.damage).toBe('');
    expect(codeOf(() => store.records('bee', { pos: 0 }))).toBe('store_corrupt');
    for (const again of [false, true]) {
      if (again) {
        store.close();
        store = createSqliteSessionStore(path);
      }
      expect(store.getSession('bee')?.damage).toContain('record 9 of session bee is damaged');
      expect(() => store.append('bee', [plain('x', true)])).toThrow('session bee is under quarantine');
      expect(codeOf(() => store.records('bee', { pos: 20 }))).toBe('store_corrupt');
      expect(codeOf(() => store.branch('bee', null))).toBe('store_corrupt');
      expect(codeOf(() => store.createSession(forkOf('bee', `n${again}`)))).toBe('store_corrupt');
      expect(store.listSessions(9).filter((info) => info.damage !== '')).toHaveLength(1);
      expect(store.openInputs().map((each) => each.sessionId)).toEqual(['ant', 'cat', 'dog']);
      expect(store.modelCalls({}).map((each) => each.session)).toEqual(['ant', 'cat', 'dog']);
      expect(store.search('says 24', 9).map((hit) => hit.session)).not.toContain('bee');
      expect(store.append('ant', [plain('x', true)])).toHaveLength(1);
    }
    store.close();
  });

  it('is what holds a record that its type can not be, whatever its checksum says [S4]', () => {
    makeFourSessions(path);
    const database = new DatabaseSync(path);
    const found = database.prepare('SELECT * FROM records WHERE session = 2 AND pos = 9').get() ?? {};
    const sound = readRecord('bee', found);
    const forged = { ...sound, type: 'action_completed', text: '{"action":5}' };
    database.exec('DROP TRIGGER records_no_update');
    database
      .prepare('UPDATE records SET type = ?, body = ?, checksum = ? WHERE session = 2 AND pos = 9')
      .run(forged.type, forged.text, checksum(forged));
    database.close();
    const store = createSqliteSessionStore(path);
    expect(codeOf(() => store.records('bee', { pos: 0 }))).toBe('store_corrupt');
    expect(store.getSession('bee')?.damage).toContain(
      'record 9 of session bee is damaged: its action is not',
    );
    expect(store.append('ant', [plain('x', true)])).toHaveLength(1);
    store.close();
  });

  it('keeps its bytes as they are [S4]', () => {
    forge();
    const whole = readFileSync(path);
    const store = createSqliteSessionStore(path);
    expect(codeOf(() => store.records('bee', { pos: 0 }))).toBe('store_corrupt');
    for (let n = 0; n < 50; n++) store.append('ant', [plain('x', true)]);
    store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare('SELECT body FROM records WHERE session = 2 ORDER BY pos').all();
    database.close();
    expect(rows).toHaveLength(53);
    expect(rows[8]).toEqual({ body: '{"forged":1}' });
    const at = whole.indexOf('{"forged":1}');
    expect(
      readFileSync(path)
        .subarray(at, at + 12)
        .toString(),
    ).toBe('{"forged":1}');
  });

  it('takes along a fork that shares what is damaged, not its elders', () => {
    makeFourSessions(path);
    const database = new DatabaseSync(path);
    database.exec(`DROP TRIGGER records_no_update; UPDATE records SET turn = 'forged' WHERE entry = 'cat4'`);
    database.close();
    const store = createSqliteSessionStore(path);
    expect(store.recentBranch('dog', 'dog24', 500).entries.length).toBeGreaterThan(0);
    expect(codeOf(() => store.branch('dog', 'dog24'))).toBe('store_corrupt');
    const damaged = store.listSessions(9).filter((info) => info.damage !== '');
    expect(damaged.map((info) => info.id).sort()).toEqual(['cat', 'dog']);
    store.close();
  });

  it('notices a log that lost its end [S4] [FT82]', () => {
    makeFourSessions(path);
    const database = new DatabaseSync(path);
    database.exec('DROP TRIGGER records_no_delete; DELETE FROM records WHERE session = 1 AND pos > 50');
    database.close();
    const store = createSqliteSessionStore(path);
    expect(() => store.records('ant', { pos: 0 })).toThrow('the log ends before it');
    expect(codeOf(() => store.records('ant', { seq: 0 }))).toBe('store_corrupt');
    store.close();
  });

  it('can be deleted', () => {
    forge();
    const store = createSqliteSessionStore(path);
    expect(codeOf(() => store.records('bee', { pos: 0 }))).toBe('store_corrupt');
    store.deleteSession('bee', 5);
    expect(store.listSessions(9).map((info) => info.damage)).toEqual(['', '', '']);
    expect(new Set(store.search('says 24', 99).map((hit) => hit.session))).toEqual(
      new Set(['ant', 'cat', 'dog']),
    );
    store.close();
  });

  const forkOf = (session: string, id: string) => ({
    id,
    workingFolder: '/',
    time: 1,
    origin: { session, entry: `${session}1` },
  });
});

describe('the full check', () => {
  it('finds nothing in a sound database, also while it is open [D4]', () => {
    makeFourSessions(path);
    expect(checkDatabase(path)).toEqual([]);
    const store = createSqliteSessionStore(path);
    expect(checkDatabase(path)).toEqual([]);
    store.close();
    expect(codeOf(() => checkDatabase(join(folder.path, 'nope.db')))).toBe('not_found');
    expect(existsSync(join(folder.path, 'nope.db'))).toBe(false);
  });

  it('names the session that is damaged, or the file [S4]', () => {
    makeFourSessions(path);
    const whole = readFileSync(path);
    const database = new DatabaseSync(path);
    database.exec(
      'DROP TRIGGER records_no_update; UPDATE records SET time = 7 WHERE session = 3 AND pos = 2',
    );
    database.close();
    expect(checkDatabase(path)).toMatchObject([
      { session: 'cat', problem: expect.stringContaining('record 2 of session cat') },
    ]);
    whole.fill(0, 5 * PAGE, 6 * PAGE);
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    writeFileSync(path, whole);
    expect(checkDatabase(path).length).toBeGreaterThan(0);
  });
});

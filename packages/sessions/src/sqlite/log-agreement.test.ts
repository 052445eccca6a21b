import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, entry, plain, temporaryFolder, userMessage } from '../testing.ts';
import { createSqliteSessionStore, type SqliteStore } from './sqlite-session-store.ts';

const acceptance = plain('loss', false);
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let store: SqliteStore;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'bulkhead.db');
  store = createSqliteSessionStore(path);
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

function make(id: string): void {
  store.createSession({ id, workingFolder: '/w', time: 1 });
}

function reopen(): void {
  store.close();
  store = createSqliteSessionStore(path);
}

function refusal(action: () => unknown): BulkheadError {
  try {
    action();
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe("a store's knowledge of its completeness", () => {
  it('flushes a database that was put back from a copy by SQLite [S4]', async () => {
    make('s');
    const copy = `${path}.copy`;
    const database = new DatabaseSync(path, { readOnly: true });
    database.prepare('VACUUM INTO ?').run(copy);
    database.close();
    store.close();
    copyFileSync(copy, path);
    store = createSqliteSessionStore(path);
    store.append('s', [plain('x', true)], { durable: false });
    await store.flush();
    expect(store.agreement.flushedPos('s')).toBe(1);
  });

  it('reads positions, and records after one, of sound sessions', () => {
    make('s');
    make('t');
    store.append('s', [plain('x', true), plain('y', true), plain('z', true)]);
    expect(store.agreement.positions()).toEqual(
      new Map([
        ['s', 3],
        ['t', 0],
      ]),
    );
    expect(store.agreement.recordsAfter('s', 1, 1)).toMatchObject([{ pos: 2, body: { value: 'y' } }]);
    expect(store.agreement.recordsAfter('s', 3, 1)).toEqual([]);
    expect(store.agreement.recordsAfter('absent', 0, 1)).toEqual([]);
  });

  it('knows positions as flushed only after a commit that waited for the disk [FG4]', () => {
    make('s');
    make('t');
    expect(store.agreement.flushedPos('s')).toBe(0);
    store.append('s', [plain('x', true), plain('x', true)]);
    expect(store.agreement.flushedPos('s')).toBe(2);
    store.append('s', [plain('x', true)], { durable: false });
    store.append('s', [plain('x', true)], { durable: false });
    expect(store.agreement.flushedPos('s')).toBe(2);
    // One file holds all sessions: a durable commit of one makes the others durable, too.
    store.append('t', [plain('x', true)], { durable: false });
    expect(store.agreement.flushedPos('t')).toBe(0);
    store.append('t', [plain('x', true)]);
    expect([
      store.agreement.flushedPos('s'),
      store.agreement.flushedPos('t'),
      store.agreement.flushedPos('none'),
    ]).toEqual([4, 2, 0]);
    reopen();
    expect(store.agreement.flushedPos('s')).toBe(0);
    store.append('t', [plain('x', true)], { durable: false });
    expect([store.agreement.flushedPos('s'), store.agreement.flushedPos('t')]).toEqual([0, 0]);
    store.agreement.setMark('m');
    expect([store.agreement.flushedPos('s'), store.agreement.flushedPos('t')]).toEqual([4, 3]);
  });

  it('tells sessions that are there from deleted, damaged and absent ones', () => {
    make('s');
    make('gone');
    make('bad');
    store.append('s', [plain('x', true)]);
    store.append('bad', [plain('x', true)]);
    store.deleteSession('gone', 2);
    store.close();
    const database = new DatabaseSync(path);
    database.exec("DROP TRIGGER records_no_update; UPDATE records SET body = '{}x' WHERE session = 3");
    database.exec(
      "CREATE TRIGGER records_no_update BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    database.close();
    store = createSqliteSessionStore(path);
    expect(refusal(() => store.records('bad', { pos: 0 })).code).toBe('store_corrupt');
    expect(['s', 'gone', 'bad', 'none'].map((id) => store.agreement.standing(id))).toEqual([
      { state: 'there', lastPos: 1 },
      { state: 'deleted' },
      { state: 'damaged' },
      { state: 'absent' },
    ]);
  });

  it('keeps the mark in the file: an older copy has the older mark', () => {
    expect(store.agreement.mark()).toBeUndefined();
    store.agreement.setMark('one');
    expect(store.agreement.checkpoint()).toBe(true);
    copyFileSync(path, `${path}.copy`);
    store.agreement.setMark('two');
    reopen();
    expect(store.agreement.mark()).toBe('two');
    store.close();
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    copyFileSync(`${path}.copy`, path);
    store = createSqliteSessionStore(path);
    expect(store.agreement.mark()).toBe('one');
  });

  it('opens a session that lost records read-only until the loss is accepted [S4]', () => {
    make('s');
    store.append('s', [accepted('m1'), entry('a', null, userMessage('hello there'))], { leaf: 'a' });
    const before = store.search('hello', 9);
    expect(before).not.toEqual([]);
    store.agreement.noteLosses(
      new Map([
        ['s', 'what is missing'],
        ['absent', 'all of it'],
      ]),
    );
    for (const _again of [1, 2]) {
      expect(store.getSession('s')).toMatchObject({ loss: 'what is missing', damage: '' });
      expect(store.agreement.losses().size).toBe(2);
      expect(store.records('s', { pos: 0 })).toHaveLength(2);
      expect(store.search('hello', 9)).toEqual(before);
      expect(store.openInputs()).toEqual([]);
      expect(refusal(() => store.append('s', [plain('x', true)]))).toMatchObject({
        code: 'not_available',
        fix: expect.stringContaining('bulkhead sessions accept-loss s'),
      });
      const origin = { session: 's', entry: 'a' };
      expect(refusal(() => store.createSession({ id: 'f', workingFolder: '/w', time: 1, origin })).code).toBe(
        'not_available',
      );
      reopen();
    }
    expect(store.agreement.acceptLoss('s', [acceptance])).toMatchObject([{ pos: 3 }]);
    expect(store.agreement.acceptLoss('absent', [acceptance])).toEqual([]);
    expect(refusal(() => store.agreement.acceptLoss('s', [])).code).toBe('not_found');
    reopen();
    expect(store.agreement.losses().size).toBe(0);
    expect(store.getSession('s')).not.toHaveProperty('loss');
    expect(store.openInputs()).toMatchObject([{ messageId: 'm1' }]);
    store.append('s', [plain('x', true)]);
  });

  it('forgets the loss of a session that is deleted', () => {
    make('s');
    store.agreement.noteLosses(new Map([['s', 'x']]));
    store.deleteSession('s', 1);
    expect(store.agreement.losses().size).toBe(0);
    reopen();
    expect(store.agreement.losses().size).toBe(0);
  });
});

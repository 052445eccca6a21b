import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { shareOf, shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyVersion1, growVersion1, told, toldByVersion1 } from '../testing/version-1-database.ts';
import { codeOf, entry, settled, temporaryFolder } from '../testing.ts';
import { openDatabase } from './open-database.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

const CHILD = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, 'migrate.child.ts'),
];

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let backup: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'bulkhead.db');
  backup = `${path}.v1.bak`;
  copyVersion1(path);
});
afterEach(() => folder[Symbol.dispose]());

function version(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('PRAGMA user_version').get()?.['user_version'];
  } finally {
    database.close();
  }
}

/**
 * Opens the database as the product does and compares it, and its backup, with the content that
 * version 1 read.
 */
function expectMigrated(): void {
  const store = createSqliteSessionStore(path);
  expect(told(store)).toEqual(toldByVersion1());
  store.close();
  expect(version(path)).toBe(5);
  expect(version(backup)).toBe(1);
  expect(readdirSync(folder.path).filter((file) => file.endsWith('.new'))).toEqual([]);
  for (const suffix of ['', '-wal', '-shm', '.v1.bak']) rmSync(`${path}.again${suffix}`, { force: true });
  copyFileSync(backup, `${path}.again`);
  const restored = createSqliteSessionStore(`${path}.again`);
  expect(told(restored)).toEqual(toldByVersion1());
  restored.close();
}

describe('a database of version 1', () => {
  it('is brought forward, after a copy of it was put beside it [D4]', () => {
    expectMigrated();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  it('can do all that a new one can', () => {
    const store = createSqliteSessionStore(path);
    const [made] = store.append('s', [entry('n', 'c')], { leaf: 'n' });
    expect(made).toMatchObject({ pos: 9, seq: null, version: 2 });
    expect(store.records('s', { pos: 7 }).map((record) => record.version)).toEqual([1, 2]);
    store.createSession({ id: 'f', workingFolder: '/f', time: 9, origin: { session: 's', entry: 'b' } });
    expect(store.branch('f', 'b').map((each) => each.id)).toEqual(['a', 't', 'b']);
    expect(
      store
        .search('needle', 9)
        .map((hit) => hit.session)
        .sort(),
    ).toEqual(['other', 's']);
    expect(codeOf(() => store.append('s', [settled('m1')]))).toBe('internal');
    store.deleteSession('other', 10);
    expect(store.search('needle', 9).map((hit) => hit.session)).toEqual(['s']);
    store.close();
  });

  it('has the tables of a new one', () => {
    createSqliteSessionStore(path).close();
    const fresh = join(folder.path, 'fresh.db');
    createSqliteSessionStore(fresh).close();
    const schema = (file: string): unknown => {
      const database = new DatabaseSync(file, { readOnly: true });
      const all = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
      database.close();
      return all;
    };
    expect(schema(path)).toEqual(schema(fresh));
  });

  it('comes out right if it was killed at any step [FT82] [FT100]', () => {
    const points: string[] = [];
    const probe = join(folder.path, 'probe.db');
    copyVersion1(probe);
    openDatabase(probe, 2000, (point) => void points.push(point)).close();
    for (const file of readdirSync(folder.path)) {
      if (file.startsWith('probe')) rmSync(join(folder.path, file));
    }
    expect(points).toHaveLength(16);
    for (const point of shareOf(points, 5)) {
      for (const file of readdirSync(folder.path)) rmSync(join(folder.path, file));
      copyVersion1(path);
      const { signal } = spawnSync(process.execPath, [...CHILD, path, point]);
      expect([point, signal]).toEqual([point, 'SIGKILL']);
      expectMigrated();
    }
  });

  it('comes out right if it was killed at any time [FT82]', async () => {
    for (const round of shareOfNumbers(0, 8, 3)) {
      for (const file of readdirSync(folder.path)) rmSync(join(folder.path, file));
      copyVersion1(path);
      const database = new DatabaseSync(path);
      growVersion1(database, 2000, 400);
      database.close();
      const child = spawn(process.execPath, [...CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, round * 7));
      child.kill('SIGKILL');
      await ended;
      const store = createSqliteSessionStore(path);
      expect(store.records('empty', { pos: 0 })).toHaveLength(2000);
      expect(store.listSessions(9).map((each) => each.damage)).toEqual(['', '', '']);
      expect(store.findInput('s', 'm1')?.settled).toBe(true);
      store.close();
      expect([version(path), version(backup)]).toEqual([5, 1]);
      expect(existsSync(`${backup}.new`)).toBe(false);
    }
  });

  it('is brought forward with what its write-ahead log holds [FT82]', () => {
    const live = join(folder.path, 'live.db');
    copyVersion1(live);
    const database = new DatabaseSync(live);
    growVersion1(database, 50, 3);
    for (const suffix of ['', '-wal']) copyFileSync(`${live}${suffix}`, `${path}${suffix}`);
    database.close();
    const store = createSqliteSessionStore(path);
    expect(store.records('empty', { seq: 0 })).toHaveLength(50);
    store.close();
  });

  it('keeps a backup that is whole, and makes one anew that is not [D4]', () => {
    createSqliteSessionStore(path).close();
    const first = readFileSync(backup);
    copyVersion1(path);
    const database = new DatabaseSync(path);
    growVersion1(database, 5, 3);
    database.close();
    createSqliteSessionStore(path).close();
    expect(readFileSync(backup).equals(first)).toBe(true);

    for (const spoil of [() => truncateSync(backup, 5000), () => writeFileSync(backup, 'hello')]) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      copyVersion1(path);
      spoil();
      expectMigrated();
    }
  });

  it('stays as it is if it is too damaged for a backup [S4]', () => {
    const whole = readFileSync(path);
    whole.fill(0, 3 * 4096, 4 * 4096);
    writeFileSync(path, whole);
    expect(codeOf(() => createSqliteSessionStore(path))).toBe('store_corrupt');
    expect(version(path)).toBe(1);
    expect(existsSync(backup)).toBe(false);
  });

  it('keeps a damaged head damaged, and the others sound [S4]', () => {
    const database = new DatabaseSync(path);
    database.exec(`UPDATE sessions SET title = 'forged' WHERE id = 's'`);
    database.close();
    const store = createSqliteSessionStore(path);
    expect(store.getSession('s')?.damage).toContain('the head of session s is damaged');
    expect(codeOf(() => store.records('s', { pos: 0 }))).toBe('store_corrupt');
    expect(store.records('other', { pos: 0 })).toHaveLength(8);
    store.close();
  });
});

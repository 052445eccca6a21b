import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksum } from '../record-row.ts';
import type { SessionStore } from '../session-store.ts';
import { accepted, codeOf, entry, plain, temporaryFolder } from '../testing.ts';
import { createSqliteSessionStore } from './sqlite-session-store.ts';

const CHILD = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, 'append.child.ts'),
];
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const canTrace = spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0;

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'sessions.db');
});
afterEach(() => folder[Symbol.dispose]());

/** A closed database with two sessions and some branches, and all that can be read of it. */
function makeDatabase(): string {
  const store = createSqliteSessionStore(path);
  for (const id of ['s', 'other']) {
    store.createSession({ id, workingFolder: `/home/${id}`, time: 1 });
    store.append(id, [accepted('m1'), entry('a', null), plain('x', true)], {
      leaf: 'a',
      title: `about ${id}`,
    });
    for (let n = 0; n < 30; n++)
      store.append(id, [{ ...plain('y', true), body: { text: `${n} `.repeat(200) } }]);
    store.append(id, [entry('b', 'a'), entry('c', 'a')], { leaf: 'c' });
  }
  const all = everything(store);
  store.close();
  return all;
}

function everything(store: SessionStore): string {
  const ids = ['s', 'other'];
  return JSON.stringify([
    store.listSessions(9),
    ids.map((id) => store.getSession(id)),
    ids.map((id) => [store.records(id, { pos: 0 }), store.records(id, { seq: 0 }), store.lastSeq(id)]),
    ids.map((id) => [store.branch(id, 'b'), store.branch(id, 'c'), store.findInput(id, 'm1')]),
    store.openInputs(),
  ]);
}

function tail(child: ChildProcess): { readonly lines: string[]; readonly ended: Promise<unknown> } {
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return { lines, ended: once(child, 'close') };
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the SQLite session store', () => {
  it('is the same after it was closed and opened', () => {
    const before = makeDatabase();
    const store = createSqliteSessionStore(path);
    expect(everything(store)).toBe(before);
    expect(store.append('s', [plain('z', true)])[0]).toMatchObject({ seq: 32 });
    store.close();
  });

  it('makes files that only the user can read', () => {
    const store = createSqliteSessionStore(path);
    store.createSession({ id: 's', workingFolder: '/w', time: 1 });
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(`${path}${suffix}`).mode & 0o777).toBe(0o600);
    store.close();
  });

  it('has every acknowledged record after kill -9 [T2]', async () => {
    const child = spawn(process.execPath, [...CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { lines, ended } = tail(child);
    await until(() => lines.length > 200);
    child.kill('SIGKILL');
    await ended;
    const store = createSqliteSessionStore(path);
    const kept = store.records('s', { seq: 0 }).map((record) => String(record.seq));
    expect(kept.slice(0, lines.length)).toEqual(lines);
    expect(kept).toHaveLength(store.lastSeq('s'));
    store.close();
  });

  it('never changes or removes a record', () => {
    makeDatabase();
    const database = new DatabaseSync(path);
    expect(() => database.exec(`UPDATE records SET body = '{}'`)).toThrow('never changed');
    expect(() => database.exec('DELETE FROM records')).toThrow('never removed');
    database.close();
  });

  describe('given a file it must not touch', () => {
    const refuses = (code: string, because: RegExp): void => {
      const before = readFileSync(path);
      expect(() => createSqliteSessionStore(path)).toThrow(because);
      expect(codeOf(() => createSqliteSessionStore(path))).toBe(code);
      expect(readFileSync(path).equals(before)).toBe(true);
    };

    it('refuses a newer database and says so [S4]', () => {
      makeDatabase();
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 2');
      database.close();
      refuses('not_available', /sessions\.db has version 2; this program knows up to 1/);
    });

    it('leaves a newer database alone that was not closed, log included [S4]', () => {
      const live = join(folder.path, 'live.db');
      const store = createSqliteSessionStore(live);
      store.createSession({ id: 's', workingFolder: '/w', time: 1 });
      const other = new DatabaseSync(live);
      other.exec('PRAGMA user_version = 2');
      for (const suffix of ['', '-wal']) copyFileSync(`${live}${suffix}`, `${path}${suffix}`);
      other.close();
      store.close();
      const log = readFileSync(`${path}-wal`);
      refuses('not_available', /has version 2/);
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
      makeDatabase();
      const whole = readFileSync(path);
      for (let size = 1; size < whole.length; size += 1021) {
        writeFileSync(path, whole);
        truncateSync(path, size);
        refuses('store_corrupt', /sessions\.db is damaged/);
      }
    });
  });

  it('gives what was written or an error, whichever bit flips [S4]', () => {
    const before = makeDatabase();
    const whole = readFileSync(path);
    let errors = 0;
    for (let at = 20; at < whole.length; at += 211) {
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
    expect(errors).toBeGreaterThan(50);
  });

  it('opens other sessions when one is damaged [S4]', () => {
    makeDatabase();
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
      makeDatabase();
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
      expect(store.records('s', { pos: 7 })).toHaveLength(28);
      store.close();
    });

    it.each(['working_folder', 'title', 'leaf'])(
      'does not believe a session whose %s was changed [S4]',
      (column) => {
        change(`UPDATE sessions SET ${column} = ? WHERE id = ?`, '/etc', 's');
        const store = createSqliteSessionStore(path);
        expect(() => store.getSession('s')).toThrow('the head of session s is damaged');
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

  it('says that another program holds the database, and goes on when it lets go [S4]', () => {
    const store = createSqliteSessionStore(path, { busyTimeout: 20 });
    store.createSession({ id: 's', workingFolder: '/w', time: 1 });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => store.append('s', [plain('a', true)])).toThrow('another program holds');
    expect(codeOf(() => store.append('s', [plain('a', true)]))).toBe('store_failed');
    expect(store.records('s', { pos: 0 })).toEqual([]);
    other.exec('ROLLBACK');
    other.close();
    expect(store.append('s', [plain('a', true)])[0]?.pos).toBe(1);
    store.close();
  });

  it('keeps its write-ahead log bounded', () => {
    const store = createSqliteSessionStore(path);
    store.createSession({ id: 's', workingFolder: '/w', time: 1 });
    const body = { text: 'x'.repeat(20_000) };
    for (let n = 0; n < 1000; n++) store.append('s', [{ ...plain('a', true), body }], { durable: false });
    expect(statSync(path).size).toBeGreaterThan(10_000_000);
    expect(statSync(`${path}-wal`).size).toBeLessThan(8_000_000);
    store.close();
  });

  it.skipIf(!canMount)(
    'says that the disk is full, keeps what it has and goes on when there is space',
    () => {
      const script = `mount -t tmpfs -o size=300k none "$1" && shift && "$@" && "$@" | tail -1`;
      const run = [process.execPath, ...CHILD, path, '20000', '100'];
      const { stdout } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, 'sh', folder.path, ...run], {
        encoding: 'utf8',
      });
      const lines = stdout.trim().split('\n');
      expect(lines.slice(0, 2)).toEqual(['1', '2']);
      expect(lines.filter((line) => line === 'store_failed true').length).toBeGreaterThanOrEqual(4);
    },
  );

  it.skipIf(!canTrace)('writes nothing more once the disk has failed [S4]', () => {
    const inject = 'inject=fsync,fdatasync:error=EIO:when=20';
    const run = [process.execPath, ...CHILD, path, '10', '200'];
    const { stdout } = spawnSync(
      'strace',
      ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject, ...run],
      {
        encoding: 'utf8',
        timeout: 30_000,
      },
    );
    const lines = stdout.trim().split('\n');
    expect(lines.slice(-4)).toEqual(Array(4).fill('store_failed false'));
    const acknowledged = lines.slice(0, -4);
    expect(acknowledged.length).toBeGreaterThan(0);
    const store = createSqliteSessionStore(path);
    expect(store.lastSeq('s')).toBeGreaterThanOrEqual(acknowledged.length);
    expect(store.lastSeq('s')).toBeLessThanOrEqual(acknowledged.length + 1);
    store.close();
  });
});

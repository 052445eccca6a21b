import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everything, makeDatabase } from '../testing/sample-database.ts';
import { codeOf, plain, temporaryFolder } from '../testing.ts';
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
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited too long');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('the SQLite session store', () => {
  it('is the same after it was closed and opened', () => {
    const before = makeDatabase(path);
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
    makeDatabase(path);
    const database = new DatabaseSync(path);
    expect(() => database.exec(`UPDATE records SET body = '{}'`)).toThrow('never changed');
    expect(() => database.exec('DELETE FROM records')).toThrow('never removed');
    database.close();
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
    const record = plain('x'.repeat(20_000), true);
    for (let n = 0; n < 1000; n++) store.append('s', [record], { durable: false });
    expect(statSync(path).size).toBeGreaterThan(10_000_000);
    expect(statSync(`${path}-wal`).size).toBeLessThan(8_000_000);
    store.close();
  });

  it.skipIf(!canMount)(
    'says that the disk is full, keeps what it has and goes on when there is space',
    () => {
      const script = `mount -t tmpfs -o size=450k none "$1" && shift && "$@" && "$@" | tail -1`;
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

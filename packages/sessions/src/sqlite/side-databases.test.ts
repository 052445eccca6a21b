import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { shareOf } from '@bulkhead/testkit/sweep';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, temporaryFolder } from '../testing.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { APPLICATION_ID, FIRST_SCHEMA } from './schema.ts';
import { sideDatabasesIn } from './side-databases.ts';

const CHILD = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, 'migrate.child.ts'),
];

/** The side databases of version 3, with a row in each table; `s-gone` is deleted. */
const FILES: Readonly<Record<string, string>> = {
  'labels.db': `
    CREATE TABLE labels (kind TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE told (session TEXT NOT NULL PRIMARY KEY, pos INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE met (session TEXT NOT NULL, pos INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (session, pos)) STRICT, WITHOUT ROWID;
    CREATE TABLE displaced (action TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT, trust TEXT, PRIMARY KEY (action, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE live (action TEXT NOT NULL PRIMARY KEY, session TEXT NOT NULL, folder TEXT NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO labels VALUES ('file', '/w/a', 'restricted', 'workspace'), ('session', 's', 'internal', 'external'), ('session', 's-gone', 'internal', 'external');
    INSERT INTO told VALUES ('s', 7), ('s-gone', 7);
    INSERT INTO met VALUES ('s', 5, 'internal', 'external'), ('s-gone', 5, 'internal', 'external');
    INSERT INTO displaced VALUES ('a1', '/w/a', NULL, NULL);
    INSERT INTO live VALUES ('a2', 's', '/w', 'internal', 'external', 1790000000000)`,
  'callers.db': `
    CREATE TABLE sessions (caller TEXT NOT NULL, name TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (caller, name)) STRICT, WITHOUT ROWID;
    CREATE TABLE answers (caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (caller, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE responses (number INTEGER PRIMARY KEY, caller TEXT NOT NULL, response TEXT NOT NULL, session TEXT NOT NULL, time TEXT, UNIQUE (caller, response)) STRICT;
    INSERT INTO sessions VALUES ('p', 'diary', 's'), ('p', 'old', 's-gone');
    INSERT INTO answers VALUES ('p', 'k', 'f', 'r', 5);
    INSERT INTO responses VALUES (4, 'p', 'r1', 's', NULL), (9, 'p', 'r2', 's-gone', 't')`,
  'totals.db': `
    CREATE TABLE totals (day TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL, cost REAL NOT NULL, PRIMARY KEY (day, purpose)) STRICT, WITHOUT ROWID;
    INSERT INTO totals VALUES ('2026-11-23', 'chat', 3, 0.25)`,
  'approvals.db': `
    CREATE TABLE tokens (nonce TEXT PRIMARY KEY, expires INTEGER NOT NULL, used INTEGER) STRICT, WITHOUT ROWID;
    INSERT INTO tokens VALUES ('n', 9999999999999, NULL)`,
  'memory.db': `
    CREATE TABLE lines (key TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, author TEXT NOT NULL, session TEXT NOT NULL, time INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (key, action)) STRICT, WITHOUT ROWID;
    INSERT INTO lines VALUES ('k', 'a', 'MEMORY.md', 'agent', 's', 1, 'internal', 'external')`,
  'profiles/work/memory.db': `
    CREATE TABLE lines (key TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, author TEXT NOT NULL, session TEXT NOT NULL, time INTEGER NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (key, action)) STRICT, WITHOUT ROWID;
    CREATE TABLE proposals (id TEXT NOT NULL PRIMARY KEY, time INTEGER NOT NULL, state TEXT NOT NULL, session TEXT NOT NULL, reason TEXT NOT NULL, target TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL, replaces TEXT NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, action TEXT NOT NULL, decided INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO lines VALUES ('k', 'b', 'USER.md', 'person', '', 2, 'internal', 'user');
    INSERT INTO proposals VALUES ('p1', 3, 'open', 's', 'why', 'memory', 'h', 't', '', 'internal', 'user', '', 0)`,
};

const TAKEN_OVER = {
  labels: [
    ['file', '/w/a', 'restricted', 'workspace'],
    ['session', 's', 'internal', 'external'],
  ],
  labels_told: [['s', 7]],
  labels_met: [['s', 5, 'internal', 'external']],
  labels_displaced: [['a1', '/w/a', null, null]],
  labels_live: [['a2', 's', '/w', 'internal', 'external', 1_790_000_000_000]],
  callers_sessions: [['p', 'diary', 's']],
  callers_answers: [['p', 'k', 'f', 'r', 5]],
  callers_responses: [[4, 'p', 'r1', 's', null]],
  approvals_tokens: [],
  usage_totals: [['2026-11-23', 'chat', 3, 0.25]],
  memory_lines: [
    ['default', 'k', 'a', 'MEMORY.md', 'agent', 's', 1, 'internal', 'external'],
    ['work', 'k', 'b', 'USER.md', 'person', '', 2, 'internal', 'user'],
  ],
  memory_proposals: [
    ['work', 'p1', 3, 'open', 's', 'why', 'memory', 'h', 't', '', 'internal', 'user', '', 0],
  ],
};

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'bulkhead.db');
});
afterEach(() => folder[Symbol.dispose]());

/** A database of a side file after its engine was killed: its rows are in its write-ahead log. */
function makeSide(state: string, name: string, sql: string): void {
  const file = join(state, name);
  mkdirSync(dirname(file), { recursive: true });
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(process.argv[2] + '; PRAGMA user_version = 1');
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script, file, sql]);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
}

let version3: ReturnType<typeof temporaryFolder>;
afterAll(() => version3[Symbol.dispose]());
beforeAll(() => {
  version3 = temporaryFolder();
  const database = new DatabaseSync(join(version3.path, 'bulkhead.db'));
  database.exec(`${FIRST_SCHEMA} PRAGMA application_id = ${APPLICATION_ID}`);
  for (const { to, run } of MIGRATIONS) if (to <= 3) run(database, version3.path);
  database.exec(
    `INSERT INTO tombstones VALUES (1, 's-gone', 1); PRAGMA user_version = 3; PRAGMA journal_mode = WAL`,
  );
  database.close();
  for (const [name, sql] of Object.entries(FILES)) makeSide(version3.path, name, sql);
});

/** A home of version 3 as it lies on the disk. */
function makeVersion3(): void {
  rmSync(folder.path, { recursive: true });
  cpSync(version3.path, folder.path, { recursive: true });
}

function rowsOf(database: DatabaseSync): unknown {
  const read = (table: string): unknown =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => Object.values(row));
  return Object.fromEntries(Object.keys(TAKEN_OVER).map((table) => [table, read(table)]));
}

function expectTakenOver(): void {
  const database = openDatabase(path, 2_000);
  try {
    expect(rowsOf(database)).toEqual(TAKEN_OVER);
  } finally {
    database.close();
  }
  expect(sideDatabasesIn(folder.path)).toEqual([]);
  const backups = Object.keys(FILES).filter((name) => name !== 'approvals.db');
  for (const name of backups) expect(existsSync(join(folder.path, `${name}.v3.bak`))).toBe(true);
  expect(existsSync(join(folder.path, 'approvals.db-wal'))).toBe(false);
}

/** The content of the database and of each file beside it, while nothing has it open. */
function truths(): { readonly version: number; readonly beside: readonly string[] } {
  const database = new DatabaseSync(path, { readOnly: true });
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version >= 4) expect(rowsOf(database)).toEqual(TAKEN_OVER);
  database.close();
  return { version, beside: sideDatabasesIn(folder.path) };
}

describe('the databases beside a database of version 3', () => {
  it('are taken over with all their rows but those of deleted sessions, and set aside [D4] [FT82]', () => {
    makeVersion3();
    expectTakenOver();
    expect(existsSync(`${path}.v3.bak`)).toBe(true);
    const backup = new DatabaseSync(join(folder.path, 'labels.db.v3.bak'));
    expect(backup.prepare('SELECT count(*) AS n FROM labels').get()).toEqual({ n: 3 });
    backup.close();
  });

  it('are the truth, or are not, if a start was killed at any step [FT82] [FT100]', () => {
    makeVersion3();
    const points: string[] = [];
    openDatabase(path, 2_000, (point) => void points.push(point)).close();
    expect(points).toContain('set aside labels.db');
    expect(points.length).toBeGreaterThan(12);
    for (const point of shareOf(points, 6)) {
      makeVersion3();
      const { signal } = spawnSync(process.execPath, [...CHILD, path, point]);
      expect([point, signal]).toEqual([point, 'SIGKILL']);
      const { version, beside } = truths();
      // Before the change is committed, every file exists; afterwards, none is read again.
      if (version === 3) expect([point, beside.length]).toEqual([point, Object.keys(FILES).length]);
      expectTakenOver();
    }
  }, 360_000);

  it('are taken over where the database itself is missing', () => {
    makeVersion3();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    const database = openDatabase(path, 2_000);
    expect(database.prepare('SELECT count(*) AS n FROM labels').get()).toEqual({ n: 3 });
    database.close();
    expect(sideDatabasesIn(folder.path)).toEqual([]);
  });

  it('are not read again once they are set aside: what is put back is set aside anew', () => {
    makeVersion3();
    openDatabase(path, 2_000).close();
    makeSide(
      folder.path,
      'labels.db',
      `${FILES['labels.db']}; INSERT INTO labels VALUES ('file', '/late', 'internal', 'user')`,
    );
    expectTakenOver();
  });

  it.each(['labels.db', 'callers.db', 'totals.db', 'memory.db'])(
    'leave all as it was if %s can not be read, and say so',
    (name) => {
      makeVersion3();
      for (const suffix of ['-wal', '-shm']) rmSync(join(folder.path, `${name}${suffix}`), { force: true });
      writeFileSync(join(folder.path, name), 'no database, and long enough to be looked at'.repeat(50));
      expect(() => openDatabase(path, 2_000)).toThrow(name);
      expect(codeOf(() => openDatabase(path, 2_000))).toBe('store_corrupt');
      expect(truths()).toEqual({ version: 3, beside: sideDatabasesIn(folder.path) });
      expect(sideDatabasesIn(folder.path)).toHaveLength(Object.keys(FILES).length);
      // A start that was interrupted before its first row leaves an empty file.
      writeFileSync(join(folder.path, name), '');
      openDatabase(path, 2_000).close();
    },
  );

  it('may be in the way of another version: that is refused', () => {
    makeVersion3();
    const labels = new DatabaseSync(join(folder.path, 'labels.db'));
    labels.exec('PRAGMA user_version = 9');
    labels.close();
    expect(() => openDatabase(path, 2_000)).toThrow('it has version 9');
  });
});

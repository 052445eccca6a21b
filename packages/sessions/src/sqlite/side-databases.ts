import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { pragma } from './database-file.ts';

/**
 * Up to version 3, some facts lay in separate databases beside this one. Version 4 copies their
 * rows within its own transaction, unchanged. Only then are they renamed to backups: until the
 * commit they are authoritative, and afterwards they are never read again.
 */
interface SideDatabase {
  /** Below the folder of the state. */
  readonly file: string;
  /** Owner of the rows of a memory file. */
  readonly profile?: string;
  /** For messages. */
  readonly holds: string;
  /** For users who move a damaged file away. */
  readonly without: string;
  /** Tables that some earlier engines did not make are missing in their files. */
  readonly tables: readonly { readonly from: string; readonly to: string; readonly columns: string }[];
}

const LABELS: SideDatabase = {
  file: 'labels.db',
  holds: 'the labels',
  without: 'what was labelled counts as unlabelled.',
  tables: [
    { from: 'labels', to: 'labels', columns: 'kind, key, secrecy, trust' },
    { from: 'told', to: 'labels_told', columns: 'session, pos' },
    { from: 'met', to: 'labels_met', columns: 'session, pos, secrecy, trust' },
    { from: 'displaced', to: 'labels_displaced', columns: 'action, key, secrecy, trust' },
    { from: 'live', to: 'labels_live', columns: 'action, session, folder, secrecy, trust, since' },
  ],
};

const CALLERS: SideDatabase = {
  file: 'callers.db',
  holds: 'the sessions of programs',
  without: 'programs begin new sessions, and the old ones count as your own.',
  tables: [
    { from: 'sessions', to: 'callers_sessions', columns: 'caller, name, session' },
    { from: 'answers', to: 'callers_answers', columns: 'caller, key, fingerprint, record, at' },
    { from: 'responses', to: 'callers_responses', columns: 'number, caller, response, session, time' },
  ],
};

const TOTALS: SideDatabase = {
  file: 'totals.db',
  holds: 'what was used today',
  without: 'daily limits go by the records of the calls alone.',
  tables: [{ from: 'totals', to: 'usage_totals', columns: 'day, purpose, calls, cost' }],
};

/** No approval outlives an engine: none is copied. */
const APPROVALS: SideDatabase = { file: 'approvals.db', holds: '', without: '', tables: [] };

function memoryOf(file: string, profile: string): SideDatabase {
  const line = 'key, action, path, author, session, time, secrecy, trust';
  const proposal = `id, time, state, session, reason, target, heading, text, replaces, secrecy, trust, action, decided`;
  return {
    file,
    profile,
    holds: 'who wrote what in memory',
    without: 'every line of memory counts as your own.',
    tables: [
      { from: 'lines', to: 'memory_lines', columns: line },
      { from: 'proposals', to: 'memory_proposals', columns: proposal },
    ],
  };
}

/** The existing ones. */
function sideDatabases(folder: string): readonly SideDatabase[] {
  const profiles = join(folder, 'profiles');
  const names = existsSync(profiles) ? readdirSync(profiles) : [];
  const memories = names.map((name) => memoryOf(`profiles/${name}/memory.db`, name));
  const all = [LABELS, CALLERS, TOTALS, APPROVALS, memoryOf('memory.db', 'default'), ...memories];
  return all.filter(({ file }) => existsSync(join(folder, file)));
}

/** Their files, below `folder`: needed to read a home of an earlier version. */
export function sideDatabasesIn(folder: string): readonly string[] {
  return sideDatabases(folder).map(({ file }) => file);
}

/**
 * Copies the rows of all side databases in `folder` into the tables of version 4. Rows of deleted
 * sessions are left out.
 * @throws BulkheadError `store_corrupt` for a file that is foreign or can't be read
 */
export function takeOverSideDatabases(database: DatabaseSync, folder: string): void {
  for (const side of sideDatabases(folder)) {
    if (side.tables.length > 0) takeOver(database, side, join(folder, side.file));
  }
  const gone = 'IN (SELECT id FROM tombstones)';
  database.exec(`
    DELETE FROM labels WHERE kind = 'session' AND key ${gone};
    DELETE FROM labels_told WHERE session ${gone};
    DELETE FROM labels_met WHERE session ${gone};
    DELETE FROM callers_sessions WHERE session ${gone};
    DELETE FROM callers_responses WHERE session ${gone};`);
}

function takeOver(database: DatabaseSync, side: SideDatabase, path: string): void {
  let source: DatabaseSync | undefined;
  try {
    source = new DatabaseSync(path, { timeout: 2_000 });
    const version = pragma(source, 'user_version');
    // An interrupted start leaves an empty one.
    if (version !== 0 && version !== 1) throw new Error(`it has version ${String(version)}`);
    const there = source.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { from, to, columns } of side.tables) {
      if (!there.some(({ name }) => name === from)) continue;
      const names = columns.split(', ');
      const own = side.profile === undefined ? [] : [side.profile];
      const into = own.length === 0 ? columns : `profile, ${columns}`;
      const marks = [...own, ...names].map(() => '?').join(', ');
      const insert = database.prepare(`INSERT INTO ${to} (${into}) VALUES (${marks})`);
      for (const row of source.prepare(`SELECT ${columns} FROM ${from}`).iterate())
        insert.run(...own, ...names.map((name) => row[name] ?? null));
    }
  } catch (cause) {
    throw new BulkheadError(
      'store_corrupt',
      `${side.holds}, ${path}, can't be read: ${describeError(cause)}`,
      {
        fix: `Restore the file from a backup. If you move it away, ${side.without}`,
        cause,
      },
    );
  } finally {
    source?.close();
  }
}

/**
 * Renames the side databases of a folder whose database has copied them, and removes that of
 * approvals. After an interruption the next start continues.
 */
export function setSideDatabasesAside(folder: string, reached: (point: string) => void): void {
  for (const { file, tables } of sideDatabases(folder)) {
    const path = join(folder, file);
    // The index of the write-ahead log goes first, and the file last, which shows that work
    // remains.
    rmSync(`${path}-shm`, { force: true });
    for (const suffix of ['-wal', '']) {
      if (!existsSync(`${path}${suffix}`)) continue;
      if (tables.length === 0) rmSync(`${path}${suffix}`);
      else renameSync(`${path}${suffix}`, `${path}.v3.bak${suffix}`);
      reached(`set aside ${file}${suffix}`);
    }
  }
}

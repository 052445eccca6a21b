import type { DatabaseSync } from 'node:sqlite';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { type LogState, planAppend } from '../plan-append.ts';
import { checksum, damaged, entryFromRow, type RecordRow, recordFromRow } from '../record-row.ts';
import { headAfter, newSession } from '../session-head.ts';
import type { Entry, InputState, OpenInput, SessionInfo, SessionStore } from '../session-store.ts';
import { alreadyExists, noEntry, noSession, storeClosed } from '../store-errors.ts';
import { openDatabase } from './open-database.ts';
import { integer, type Row, readRecord, readSession, sessionChecksum, text } from './read-row.ts';
import { fromSqliteError, isDiskError } from './sqlite-error.ts';
import { prepareStatements, type Statements } from './statements.ts';

export interface SqliteSessionStoreOptions {
  /** Milliseconds to wait while another connection writes; default 2,000. The thread waits with it. */
  readonly busyTimeout?: number;
}

/**
 * Opens the store at `path`, making it (mode 0600) if there is none; its folder must exist. One process
 * at a time: see `acquireInstanceLock`.
 *
 * After the disk has failed once, nothing more is written until the store is opened anew: pages the
 * kernel gave up on are gone, and a later commit that seems to succeed could stand on a hole.
 * @throws BulkheadError `store_corrupt`, `not_available` (written by a later version), `store_failed`
 */
export function createSqliteSessionStore(
  path: string,
  options: SqliteSessionStoreOptions = {},
): SessionStore {
  const database = openDatabase(path, options.busyTimeout ?? 2000);
  const connection = connect(database, path);
  const { statements, guard, write } = connection;

  const find = (sessionId: string): { key: number; row: Row } => {
    const row = statements.session.get(sessionId);
    if (row === undefined) throw noSession(sessionId);
    return { key: integer(row, 'key'), row };
  };

  return {
    createSession({ id, workingFolder, time }) {
      const info = newSession(id, workingFolder, time);
      return write(true, () => {
        if (statements.session.get(id) !== undefined) throw alreadyExists(id);
        addSession(statements, info);
        return info;
      });
    },
    getSession(sessionId) {
      return guard(() => {
        const row = statements.session.get(sessionId);
        return row === undefined ? undefined : readSession(row);
      });
    },
    listSessions(limit) {
      return guard(() => statements.sessions.all(Math.max(0, limit)).map(readSession));
    },
    countSessions() {
      return guard(() => single(statements.countSessions.get()));
    },
    append(sessionId, records, appendOptions = {}) {
      return write(appendOptions.durable ?? true, () => {
        const { key, row } = find(sessionId);
        const planned = planAppend(sessionId, stateOf(statements, key), records, appendOptions);
        for (const record of planned.rows) insert(statements, key, record);
        changeSession(statements, key, headAfter(readSession(row), planned, appendOptions));
        return planned.records;
      });
    },
    records(sessionId, after, limit = -1) {
      return guard(() => {
        const { key } = find(sessionId);
        const rows =
          'seq' in after
            ? statements.recordsAfterSeq.all(key, after.seq, limit)
            : statements.recordsAfterPos.all(key, after.pos, limit);
        const records = rows.map((row) => readRecord(sessionId, row));
        checkNoGap(records, after);
        return records.map(recordFromRow);
      });
    },
    lastSeq(sessionId) {
      return guard(() => single(statements.lastSeq.get(find(sessionId).key)));
    },
    branch(sessionId, leaf) {
      return guard(() => branchOf(statements, sessionId, find(sessionId).key, leaf));
    },
    findInput(sessionId, messageId) {
      return guard(() => inputOf(statements, find(sessionId).key, messageId));
    },
    openInputs() {
      return guard(() => statements.openInputs.all().map((row) => openInputOf(statements, row)));
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function connect(database: DatabaseSync, path: string) {
  const guard = <T>(action: () => T): T => {
    if (!database.isOpen) throw storeClosed();
    try {
      return action();
    } catch (error) {
      throw fromSqliteError(error, path);
    }
  };
  const statements = guard(() => prepareStatements(database));
  let failure: BulkheadError | undefined;
  let durableNow = true;

  const setDurable = (durable: boolean): void => {
    if (durable === durableNow) return;
    database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    durableNow = durable;
  };

  /** Runs `change` in a transaction: all of it or nothing. */
  const write = <T>(durable: boolean, change: () => T): T =>
    guard(() => {
      if (failure !== undefined) throw failure;
      try {
        setDurable(durable);
        statements.begin.run();
        const result = change();
        statements.commit.run();
        return result;
      } catch (error) {
        if (isDiskError(error)) failure = fromSqliteError(error, path);
        if (database.isTransaction) rollBack(statements, path, error);
        throw error;
      }
    });

  return { statements, guard, write };
}

function rollBack(statements: Statements, path: string, cause: unknown): void {
  try {
    statements.rollback.run();
  } catch (error) {
    throw new BulkheadError(
      'store_failed',
      `the session database ${path} failed (${describeError(cause)}) and could not go back: ${describeError(error)}`,
      { cause: error },
    );
  }
}

function stateOf(statements: Statements, key: number): LogState {
  return {
    lastPos: single(statements.lastPos.get(key)),
    lastSeq: single(statements.lastSeq.get(key)),
    hasEntry: (id) => statements.hasEntry.get(key, id) !== undefined,
    input: (messageId) => {
      if (statements.accepted.get(key, messageId) === undefined) return 'unknown';
      return statements.settled.get(key, messageId) === undefined ? 'open' : 'settled';
    },
  };
}

function insert(statements: Statements, key: number, row: RecordRow): void {
  statements.addRecord.run(
    key,
    row.pos,
    row.seq,
    row.time,
    row.turn,
    row.type,
    row.version,
    row.entry,
    row.parent,
    row.messageId,
    row.text,
    checksum(row),
  );
}

function addSession(statements: Statements, info: SessionInfo): void {
  const { id, createdAt, updatedAt, workingFolder, title, leaf, messages } = info;
  const sum = sessionChecksum(info);
  statements.addSession.run(id, createdAt, updatedAt, workingFolder, title, leaf, messages, sum);
}

function changeSession(statements: Statements, key: number, info: SessionInfo): void {
  const { updatedAt, title, leaf, messages } = info;
  statements.changeSession.run(key, updatedAt, title, leaf, messages, sessionChecksum(info));
}

function branchOf(
  statements: Statements,
  sessionId: string,
  key: number,
  leaf: string | null,
): readonly Entry[] {
  if (leaf === null) return [];
  const rows = statements.branch.all(key, leaf).map((row) => readRecord(sessionId, row));
  if (rows.length === 0) throw noEntry(sessionId, leaf);
  let parent: string | null = null;
  for (const row of rows) {
    if (row.parent !== parent) throw damaged(row, `its parent ${row.parent} is not where it should be`);
    parent = row.entry;
  }
  return rows.map(entryFromRow);
}

function inputOf(statements: Statements, key: number, messageId: string): InputState | undefined {
  const row = statements.accepted.get(key, messageId);
  if (row === undefined) return undefined;
  const pos = integer(row, 'pos');
  const afterSeq = single(statements.seqBefore.get(key, pos));
  return { messageId, pos, afterSeq, settled: statements.settled.get(key, messageId) !== undefined };
}

function openInputOf(statements: Statements, row: Row): OpenInput {
  const record = recordFromRow(readRecord(text(row, 'session_id'), row));
  const { sessionId, pos, time, turn, body } = record;
  const afterSeq = single(statements.seqBefore.get(integer(row, 'session'), pos));
  return { sessionId, messageId: text(row, 'message_id'), pos, afterSeq, time, turn, body };
}

function checkNoGap(
  rows: readonly RecordRow[],
  after: { readonly seq: number } | { readonly pos: number },
): void {
  const bySeq = 'seq' in after;
  let expected = bySeq ? after.seq : after.pos;
  for (const row of rows) {
    expected += 1;
    if ((bySeq ? row.seq : row.pos) !== expected) throw damaged(row, `a record before it is missing`);
  }
}

/** The number a one-column query gave; 0 where there was none. */
function single(row: Row | undefined): number {
  return row === undefined || row['value'] === null ? 0 : integer(row, 'value');
}

import { BulkheadError } from '@bulkhead/protocol';
import { type LogState, planAppend } from './plan-append.ts';
import { entryFromRow, type RecordRow, recordFromRow } from './record-row.ts';
import { headAfter, newSession } from './session-head.ts';
import type { Entry, InputState, OpenInput, SessionInfo, SessionStore } from './session-store.ts';
import { alreadyExists, noEntry, noSession, storeClosed } from './store-errors.ts';

interface MemorySession {
  info: SessionInfo;
  /** Rises with every session made: tells those changed in the same millisecond apart. */
  readonly order: number;
  readonly rows: RecordRow[];
  readonly visible: RecordRow[];
  readonly entries: Map<string, RecordRow>;
  readonly inputs: Map<string, InputState>;
}

/** A store that lives and dies with the process: for tests, and for sessions that must leave no trace. */
export function createMemorySessionStore(): SessionStore {
  const sessions = new Map<string, MemorySession>();
  let closed = false;

  const open = (): void => {
    if (closed) throw storeClosed();
  };
  const find = (sessionId: string): MemorySession => {
    open();
    const session = sessions.get(sessionId);
    if (session === undefined) throw noSession(sessionId);
    return session;
  };

  return {
    createSession({ id, workingFolder, time }) {
      open();
      if (sessions.has(id)) throw alreadyExists(id);
      const info = newSession(id, workingFolder, time);
      const order = sessions.size;
      sessions.set(id, { info, order, rows: [], visible: [], entries: new Map(), inputs: new Map() });
      return info;
    },
    getSession(sessionId) {
      open();
      return sessions.get(sessionId)?.info;
    },
    listSessions(limit) {
      open();
      return [...sessions.values()]
        .sort((a, b) => b.info.updatedAt - a.info.updatedAt || b.order - a.order)
        .slice(0, limit)
        .map((session) => session.info);
    },
    countSessions() {
      open();
      return sessions.size;
    },
    append(sessionId, records, options = {}) {
      const session = find(sessionId);
      const plan = planAppend(sessionId, stateOf(session), records, options);
      for (const row of plan.rows) store(session, row);
      session.info = headAfter(session.info, plan, options);
      return plan.records;
    },
    records(sessionId, after, limit) {
      const session = find(sessionId);
      const [rows, from] = 'seq' in after ? [session.visible, after.seq] : [session.rows, after.pos];
      return rows.slice(from, limit === undefined ? undefined : from + limit).map(recordFromRow);
    },
    lastSeq: (sessionId) => find(sessionId).visible.length,
    branch: (sessionId, leaf) => branchOf(find(sessionId), leaf),
    findInput: (sessionId, messageId) => find(sessionId).inputs.get(messageId),
    openInputs() {
      open();
      return [...sessions.values()].flatMap(openInputsOf);
    },
    close() {
      closed = true;
    },
  };
}

function stateOf(session: MemorySession): LogState {
  return {
    lastPos: session.rows.length,
    lastSeq: session.visible.length,
    hasEntry: (id) => session.entries.has(id),
    input: (messageId) => {
      const input = session.inputs.get(messageId);
      if (input === undefined) return 'unknown';
      return input.settled ? 'settled' : 'open';
    },
  };
}

function store(session: MemorySession, row: RecordRow): void {
  session.rows.push(row);
  if (row.entry !== null) session.entries.set(row.entry, row);
  if (row.messageId !== null) {
    const accepted = session.inputs.get(row.messageId);
    const input = accepted ?? { messageId: row.messageId, pos: row.pos, afterSeq: session.visible.length };
    session.inputs.set(row.messageId, { ...input, settled: row.type === 'settled' });
  }
  if (row.seq !== null) session.visible.push(row);
}

function branchOf(session: MemorySession, leaf: string | null): readonly Entry[] {
  const rows: RecordRow[] = [];
  for (let id = leaf; id !== null; ) {
    const row = session.entries.get(id);
    if (row === undefined) throw noEntry(session.info.id, id);
    rows.push(row);
    id = row.parent;
  }
  return rows.reverse().map(entryFromRow);
}

function openInputsOf(session: MemorySession): readonly OpenInput[] {
  const open = [...session.inputs.values()].filter((input) => !input.settled);
  return open.map(({ messageId, pos, afterSeq }) => {
    const row = session.rows[pos - 1];
    if (row === undefined)
      throw new BulkheadError('internal', `session ${session.info.id} has no record ${pos}`);
    const { sessionId, time, turn, body } = recordFromRow(row);
    return { sessionId, messageId, pos, afterSeq, time, turn, body };
  });
}

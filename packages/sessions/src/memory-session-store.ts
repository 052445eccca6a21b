import { DatabaseSync } from 'node:sqlite';
import {
  type MemorySession,
  newMemorySession,
  openInputsOf,
  stateOf,
  storeRow,
} from './memory/memory-session.ts';
import { inOrder, isAskedFor, Spendings, spendingsIn, totalCalls, totalModelCalls } from './model-calls.ts';
import { planAppend } from './plan-append.ts';
import { entryFromRow, type RecordRow, recordFromRow } from './record-row.ts';
import { firstHits } from './search/first-hits.ts';
import { hitOf } from './search/hit.ts';
import { wordsOf } from './search/match-words.ts';
import { SEARCH_SCHEMA, SearchIndex } from './search/search-index.ts';
import { searchTextOf } from './search/search-text.ts';
import { headAfter, newSession } from './session-head.ts';
import type {
  AppendOptions,
  ModelCallsQuery,
  NewRecord,
  SearchHit,
  SessionStore,
  StoredRecord,
} from './session-store.ts';
import { alreadyExists, hasForks, noSession, storeClosed, wasDeleted } from './store-errors.ts';
import { labelsOf } from './tree/labels.ts';
import { recentBranchOf } from './tree/recent-branch.ts';
import { requireOrigin } from './tree/require-origin.ts';
import { treeNodesOf } from './tree/tree-nodes.ts';
import type { TreeSource } from './tree/tree-source.ts';
import { branchOf, holdsEntry } from './tree/walk-back.ts';

/** A store in memory: for tests, and for sessions that must leave no trace. */
export function createMemorySessionStore(): SessionStore {
  const state = new MemoryState();
  const { tree } = state;
  const spendings = new Spendings();
  const callsOf = (where: ModelCallsQuery) => {
    const rows = [...state.open().values()].flatMap((session) => session.rows);
    const asked = rows.filter(
      (row) => row.type === 'model_call' && isAskedFor(where, row.sessionId, row.time),
    );
    return totalModelCalls(asked.map(recordFromRow));
  };

  return {
    createSession(input, first) {
      const head = newSession(input);
      state.checkNew(input.id);
      if (head.info.origin !== null) requireOrigin(tree, head.info.origin, (id) => void state.find(id));
      const session = newMemorySession(head, state.made + 1);
      state.add(session, () => {
        if (first !== undefined) state.append(session, first.records, first);
        first?.also?.();
      });
      return session.head.info;
    },
    getSession: (sessionId) => state.open().get(sessionId)?.head.info,
    listSessions: (limit) =>
      [...state.open().values()]
        .sort((a, b) => b.head.info.updatedAt - a.head.info.updatedAt || b.order - a.order)
        .slice(0, Math.max(0, limit))
        .map((session) => session.head.info),
    countSessions: () => state.open().size,
    append: (sessionId, records, options = {}) => state.append(state.find(sessionId), records, options),
    records(sessionId, after, limit) {
      const session = state.find(sessionId);
      const [rows, from] = 'seq' in after ? [session.visible, after.seq] : [session.rows, after.pos];
      return rows.slice(from, limit === undefined ? undefined : from + limit).map(recordFromRow);
    },
    lastPos: (sessionId) => state.find(sessionId).rows.length,
    lastSeq: (sessionId) => state.find(sessionId).visible.length,
    branch: (sessionId, leaf) => branchOf(tree, state.find(sessionId).id, leaf),
    recentBranch: (sessionId, leaf, bytes) => recentBranchOf(tree, state.find(sessionId).id, leaf, bytes),
    tree: (sessionId) => treeNodesOf(tree, state.find(sessionId).id),
    labels: (sessionId) => labelsOf(tree, state.find(sessionId).id),
    search: (query, limit) => state.search(query, limit),
    deleteSession(sessionId) {
      const forks = state.forksOf(sessionId);
      if (forks.length > 0) throw hasForks(sessionId, forks);
      spendings.add(callsOf({ session: sessionId }));
      state.remove(sessionId);
    },
    forksOf: (sessionId) => state.forksOf(sessionId),
    addSpending(call, time) {
      spendings.add(totalCalls([{ session: '', time, call }]));
    },
    modelCalls: (where) => inOrder([...callsOf(where), ...spendingsIn(spendings.rows, where)]),
    findInput: (sessionId, messageId) => state.find(sessionId).inputs.get(messageId),
    openInputs: () => [...state.open().values()].flatMap(openInputsOf),
    flush: () => Promise.resolve(),
    close: () => state.close(),
  };
}

/** All sessions of one store, and facts across them. */
class MemoryState {
  readonly tree: TreeSource = {
    origin: (sessionId) => this.find(sessionId).head.info.origin,
    row: (sessionId, entry) => this.find(sessionId).entries.get(entry),
    link: (sessionId, entry) => this.find(sessionId).entries.get(entry),
    links: (sessionId) =>
      [...this.find(sessionId).entries].map(([id, { pos, parent, type }]) => ({ id, pos, parent, type })),
    labelMarks: (sessionId) =>
      this.find(sessionId).rows.filter((row) => row.type === 'label' && row.entry !== null),
  };
  made = 0;
  readonly #sessions = new Map<string, MemorySession>();
  readonly #deleted = new Set<string>();
  #search: MemorySearch | undefined;
  #closed = false;

  /** @throws BulkheadError `store_failed` once closed */
  open(): ReadonlyMap<string, MemorySession> {
    if (this.#closed) throw storeClosed();
    return this.#sessions;
  }

  find(sessionId: string): MemorySession {
    const session = this.open().get(sessionId);
    if (session === undefined) throw noSession(sessionId);
    return session;
  }

  checkNew(sessionId: string): void {
    if (this.open().has(sessionId)) throw alreadyExists(sessionId);
    if (this.#deleted.has(sessionId)) throw wasDeleted(sessionId);
  }

  /** Keeps `session` if `fill` succeeds. */
  add(session: MemorySession, fill: () => void): void {
    this.#sessions.set(session.id, session);
    try {
      fill();
      this.made += 1;
    } catch (error) {
      this.#sessions.delete(session.id);
      throw error;
    }
  }

  append(
    session: MemorySession,
    records: readonly NewRecord[],
    options: AppendOptions,
  ): readonly StoredRecord[] {
    const hasEntry = (id: string): boolean => holdsEntry(this.tree, session.id, id);
    const plan = planAppend(session.id, stateOf(session, hasEntry), records, options);
    for (const row of plan.rows) storeRow(session, row);
    session.head = headAfter(session.head, plan, options);
    return plan.records;
  }

  forksOf(sessionId: string): readonly string[] {
    this.find(sessionId);
    const forks = [...this.#sessions.values()].filter((each) => each.head.info.origin?.session === sessionId);
    return forks.map((fork) => fork.id);
  }

  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#deleted.add(sessionId);
    this.#search?.close();
    this.#search = undefined;
  }

  search(query: string, limit: number) {
    this.open();
    this.#search ??= createMemorySearch();
    return this.#search.find(this.#sessions, query, limit);
  }

  close(): void {
    this.#closed = true;
    this.#sessions.clear();
    this.#search?.close();
    this.#search = undefined;
  }
}

interface MemorySearch {
  find(sessions: ReadonlyMap<string, MemorySession>, query: string, limit: number): readonly SearchHit[];
  close(): void;
}

/** The same index as on disk, in a database that stays in memory: even its sorting uses no file. */
function createMemorySearch(): MemorySearch {
  const database = new DatabaseSync(':memory:');
  database.exec(`PRAGMA temp_store = MEMORY; ${SEARCH_SCHEMA}`);
  const index = new SearchIndex(database);
  const found: RecordRow[] = [];
  const indexed = new Map<string, number>();

  const catchUp = (session: MemorySession): void => {
    for (const row of session.rows.slice(indexed.get(session.id) ?? 0)) {
      const text = row.entry === null ? undefined : searchTextOf(entryFromRow(row).message)?.text;
      if (text !== undefined) index.add(found.push(row), text);
    }
    indexed.set(session.id, session.rows.length);
  };

  return {
    find(sessions, query, limit) {
      for (const session of sessions.values()) catchUp(session);
      const words = wordsOf(query);
      return firstHits(index.match(words), limit, (id) => {
        const row = found[id - 1];
        const session = row === undefined ? undefined : sessions.get(row.sessionId);
        if (row === undefined || session === undefined) return undefined;
        return hitOf(row, session.head.info.title, words);
      });
    },
    close: () => database.close(),
  };
}

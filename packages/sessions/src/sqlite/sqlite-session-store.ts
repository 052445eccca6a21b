import { existsSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import type { LogAgreement } from '../log-agreement.ts';
import { totalCalls } from '../model-calls.ts';
import { planAppend } from '../plan-append.ts';
import { headAfter, newSession, type SessionHead } from '../session-head.ts';
import type {
  AppendOptions,
  NewRecord,
  NewSession,
  SessionInfo,
  SessionStore,
  StoredRecord,
} from '../session-store.ts';
import { alreadyExists, databaseIsGone, hasForks, readOnlySession, wasDeleted } from '../store-errors.ts';
import { labelsOf } from '../tree/labels.ts';
import { recentBranchOf } from '../tree/recent-branch.ts';
import { requireOrigin } from '../tree/require-origin.ts';
import { treeNodesOf } from '../tree/tree-nodes.ts';
import { branchOf, holdsEntry } from '../tree/walk-back.ts';
import { type Connection, connect } from './connection.ts';
import { removeStored, sweep } from './delete-session.ts';
import { openDatabase } from './open-database.ts';
import { Quarantine } from './quarantine.ts';
import { checkNames, inputOf, openInputsOf, recordsAfter } from './read-log.ts';
import { SessionDirectory, type StoredHead } from './session-directory.ts';
import { addSpendings } from './spendings.ts';
import { SqliteAgreement } from './sqlite-agreement.ts';
import { sqliteModelCalls } from './sqlite-model-calls.ts';
import { SqliteSearch } from './sqlite-search.ts';
import { createSqliteTree, whyMissing } from './sqlite-tree.ts';
import { createTables, type Tables } from './tables.ts';
import { insertHead, insertRecord, stateOf, updateHead } from './write-log.ts';

/** While it is opened, milliseconds: no client waits yet. */
const OPENING_TIMEOUT = 2_000;

export interface SqliteSessionStoreOptions {
  /**
   * Milliseconds to wait while another connection writes; default 25. It blocks the thread and all
   * its work.
   */
  readonly busyTimeout?: number;
  /** A database existed: a missing one is an error and not created again. */
  readonly mustExist?: boolean;
  /** Called before each durable change; if it throws, the change is refused. */
  readonly beforeDurable?: () => void;
}

/**
 * Opens the store at `path`, making it (mode 0600) if missing; its folder must exist. One process
 * at a time: see `acquireInstanceLock`. A database of an earlier version is migrated first, after a
 * copy is made beside it (`<path>.v<version>.bak`).
 *
 * Opening costs as much as the heads of the sessions, not as their logs. Damage in a log is found
 * when it is read, and puts that session under quarantine. After the first failure of the disk,
 * nothing more is written until the store is reopened: the kernel has dropped pages, and a later
 * commit that seems to succeed could follow a gap.
 * @throws BulkheadError `store_corrupt`, `not_available` (written by a later version),
 *   `store_failed`
 */
export function createSqliteSessionStore(path: string, options: SqliteSessionStoreOptions = {}): SqliteStore {
  const { busyTimeout = 25, mustExist = false, beforeDurable } = options;
  if (mustExist && !existsSync(path)) throw databaseIsGone(path);
  const database = openDatabase(path, OPENING_TIMEOUT);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
    return new SqliteSessionStore(connect(database, path, beforeDurable));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A disk store, which knows which of its data is on disk. */
export interface SqliteStore extends SessionStore {
  readonly agreement: LogAgreement;
  readonly tables: Tables;
}

class SqliteSessionStore implements SqliteStore {
  readonly #connection: Connection;
  readonly #directory: SessionDirectory;
  readonly #quarantine: Quarantine;
  readonly #search: SqliteSearch;
  readonly #tree: ReturnType<typeof createSqliteTree>;
  /** Keys of sessions whose indexes by name were compared with their heads. */
  readonly #namesChecked = new Set<number>();
  readonly #agreement: SqliteAgreement;
  readonly #beside: ReturnType<typeof createTables>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#directory = new SessionDirectory(connection.statements);
    connection.guard(() => this.#directory.refresh());
    this.#quarantine = new Quarantine(connection, this.#directory);
    this.#agreement = new SqliteAgreement(
      connection,
      this.#directory,
      (stored, records, also) => this.#commit(stored, records, {}, updateHead, also).records,
    );
    this.#search = new SqliteSearch(connection, this.#directory, this.#quarantine);
    this.#tree = createSqliteTree(connection.statements, this.#directory);
    this.#beside = createTables(connection);
    try {
      sweep(connection);
    } catch {
      // Still due; sessions can be read and written meanwhile.
    }
  }

  get agreement(): LogAgreement {
    return this.#agreement;
  }

  get tables(): Tables {
    return this.#beside.tables;
  }

  createSession(input: NewSession, first?: Parameters<SessionStore['createSession']>[1]): SessionInfo {
    if (input.offTheRecord === true) {
      throw new BulkheadError(
        'internal',
        `session ${input.id} is off the record and must not reach the disk`,
      );
    }
    const made = newSession(input);
    return this.#read(() => {
      if (this.#directory.get(input.id) !== undefined) throw alreadyExists(input.id);
      if (this.#directory.wasDeleted(input.id)) throw wasDeleted(input.id);
      const { origin } = made.info;
      if (origin !== null)
        this.#quarantine.within(origin.session, (source) => {
          refuseLost(source);
          requireOrigin(this.#tree, origin, () => {});
        });
      const stored = { key: this.#directory.nextKey, head: made };
      this.#directory.set(stored);
      try {
        const options = { ...first, durable: true };
        const { head } = this.#commit(stored, first?.records ?? [], options, insertHead, first?.also);
        return head.info;
      } catch (error) {
        this.#directory.unset(stored);
        this.#directory.forget();
        throw error;
      }
    });
  }

  getSession(sessionId: string): SessionInfo | undefined {
    return this.#read(() => this.#directory.get(sessionId)?.head.info);
  }

  listSessions(limit: number): readonly SessionInfo[] {
    return this.#read(() =>
      [...this.#directory.all()]
        .sort((a, b) => b.head.info.updatedAt - a.head.info.updatedAt || b.key - a.key)
        .slice(0, Math.max(0, limit))
        .map(({ head }) => head.info),
    );
  }

  countSessions(): number {
    return this.#read(() => this.#directory.size);
  }

  append(
    sessionId: string,
    records: readonly NewRecord[],
    options: AppendOptions = {},
  ): readonly StoredRecord[] {
    return this.#quarantine.within(sessionId, (stored) => {
      refuseLost(stored);
      if (records.some((record) => record.messageId !== undefined)) this.#checkNames(stored);
      return this.#commit(stored, records, options, updateHead).records;
    });
  }

  records(sessionId: string, after: Parameters<SessionStore['records']>[1], limit?: number) {
    return this.#quarantine.within(sessionId, (stored) =>
      recordsAfter(this.#connection.statements, stored, after, limit),
    );
  }

  lastPos(sessionId: string): number {
    return this.#quarantine.within(sessionId, ({ head }) => head.lastPos);
  }

  lastSeq(sessionId: string): number {
    return this.#quarantine.within(sessionId, ({ head }) => head.lastSeq);
  }

  branch(sessionId: string, leaf: string | null) {
    return this.#quarantine.within(sessionId, (stored) => {
      this.#requireLeaf(stored, leaf);
      return branchOf(this.#tree, sessionId, leaf);
    });
  }

  recentBranch(sessionId: string, leaf: string | null, bytes: number) {
    return this.#quarantine.within(sessionId, (stored) => {
      this.#requireLeaf(stored, leaf);
      return recentBranchOf(this.#tree, sessionId, leaf, bytes);
    });
  }

  tree(sessionId: string) {
    return this.#quarantine.within(sessionId, () => treeNodesOf(this.#tree, sessionId));
  }

  labels(sessionId: string) {
    return this.#quarantine.within(sessionId, (stored) => {
      this.#checkNames(stored);
      return labelsOf(this.#tree, sessionId);
    });
  }

  search(query: string, limit: number) {
    return this.#read(() => this.#search.find(query, limit));
  }

  deleteSession(sessionId: string, time: number): void {
    this.#read(() => {
      const stored = this.#directory.find(sessionId);
      const forks = this.forksOf(sessionId);
      if (forks.length > 0) throw hasForks(sessionId, forks);
      const spent = this.modelCalls({ session: sessionId });
      const also = (): void => this.#beside.deleted(sessionId);
      removeStored(this.#connection, this.#search, stored, { time, spent, also });
      this.#directory.remove(stored);
      sweep(this.#connection);
    });
  }

  forksOf(sessionId: string): readonly string[] {
    return this.#read(() => {
      this.#directory.find(sessionId);
      const forks = this.#directory.all().filter(({ head }) => head.info.origin?.session === sessionId);
      return forks.map(({ head }) => head.info.id);
    });
  }

  addSpending(call: Parameters<SessionStore['addSpending']>[0], time: number): void {
    const { write, statements } = this.#connection;
    const totals = totalCalls([{ session: '', time, call }]);
    this.#read(() => write(false, () => addSpendings(statements, totals)));
  }

  modelCalls(where: Parameters<SessionStore['modelCalls']>[0]) {
    return this.#read(() => sqliteModelCalls(this.#connection, this.#directory, this.#quarantine, where));
  }

  findInput(sessionId: string, messageId: string) {
    return this.#quarantine.within(sessionId, (stored) => {
      this.#checkNames(stored);
      return inputOf(this.#connection.statements, stored, messageId);
    });
  }

  openInputs() {
    return this.#read(() =>
      this.#quarantine.overAll((stored) => {
        // None of its messages may resume before a person has decided.
        if (stored.head.info.loss !== undefined) return [];
        this.#checkNames(stored);
        return openInputsOf(this.#connection.statements, stored);
      }),
    );
  }

  flush(): Promise<void> {
    return this.#agreement.flush();
  }

  close(): void {
    this.#connection.close();
  }

  #read<T>(action: () => T): T {
    return this.#connection.guard(() => {
      this.#directory.refresh();
      return action();
    });
  }

  #commit(
    stored: StoredHead,
    records: readonly NewRecord[],
    options: AppendOptions,
    putHead: typeof updateHead,
    also: () => void = () => {},
  ): { readonly records: readonly StoredRecord[]; readonly head: SessionHead } {
    const { statements } = this.#connection;
    const { key } = stored;
    const sessionId = stored.head.info.id;
    const durable = options.durable ?? true;
    const hasEntry = (id: string): boolean =>
      id === stored.head.info.leaf || holdsEntry(this.#tree, sessionId, id);
    const done = this.#connection.write(durable, () => {
      const plan = planAppend(sessionId, stateOf(statements, stored, hasEntry), records, options);
      const head = headAfter(stored.head, plan, options);
      putHead(statements, { key, head });
      for (const row of plan.rows) insertRecord(statements, key, row);
      also();
      return { records: plan.records, head };
    });
    this.#directory.set({ key, head: done.head });
    this.#agreement.committed(stored, durable);
    if (durable) this.#search.follow({ key, head: done.head });
    return done;
  }

  #checkNames(stored: StoredHead): void {
    if (this.#namesChecked.has(stored.key)) return;
    checkNames(this.#connection.statements, stored);
    this.#namesChecked.add(stored.key);
  }

  #requireLeaf(stored: StoredHead, leaf: string | null): void {
    if (leaf === null || holdsEntry(this.#tree, stored.head.info.id, leaf)) return;
    throw whyMissing(this.#connection.statements, stored, leaf);
  }
}

function refuseLost({ head }: StoredHead): void {
  if (head.info.loss !== undefined) throw readOnlySession(head.info.id);
}

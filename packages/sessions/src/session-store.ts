import type { Message } from '@bulkhead/protocol/chat';
import type {
  InputBody,
  LogRecord,
  MarkType,
  ModelCallBody,
  NewLogRecord,
  RecordOf,
  Version1Record,
} from '@bulkhead/protocol/records';

/**
 * The log of every session: append-only records, and views of them. Positions rise by one per
 * session over all records, `seq` over those that clients see; a view is always the same for the
 * same log. Every method throws BulkheadError `not_found` for a session that does not exist (except
 * `getSession`), `store_corrupt` for damaged data, `store_failed` when the disk refuses.
 */
export interface SessionStore {
  /**
   * Makes a session and its first records, in one transaction. With an `origin` it is a fork: its
   * leaf is that entry, and it shares, not copies, the path to it, in constant time [S2].
   * @throws BulkheadError `internal` if the id is taken, `not_found` for a missing origin
   */
  createSession(input: NewSession, first?: FirstRecords): SessionInfo;
  getSession(sessionId: string): SessionInfo | undefined;
  /** The most recently changed first; `limit` at least 0. */
  listSessions(limit: number): readonly SessionInfo[];
  /** Number of sessions. */
  countSessions(): number;
  /**
   * Appends all of `records` in one transaction, or none. When it returns they are on disk, unless
   * `durable: false` was given.
   * @throws BulkheadError `internal` for records that would break the log: an unknown parent or
   *   leaf, an entry id or accepted message id used twice, `settled` for a message that is not open
   */
  append(sessionId: string, records: readonly NewRecord[], options?: AppendOptions): readonly StoredRecord[];
  /**
   * Resolves once all earlier writes are on disk; one flush serves all callers during another
   * flush.
   * @throws BulkheadError `store_failed`: then nothing more is written until the store is
   *   reopened
   */
  flush(): Promise<void>;
  /** In order; without a limit, all of them. After a `seq`: only records that have one. */
  records(sessionId: string, after: RecordsAfter, limit?: number): readonly StoredRecord[];
  /** The position of the last record; 0 if there is none. */
  lastPos(sessionId: string): number;
  /** The last assigned `seq`; 0 if none. */
  lastSeq(sessionId: string): number;
  /** Entries from the root to `leaf`, both included; none for the leaf null. Those before a fork are the origin's. */
  branch(sessionId: string, leaf: string | null): readonly Entry[];
  /**
   * The newest part of `branch`: entries back from `leaf` until the bodies read exceed `bytes`, or
   * until the first entry that the branch's latest compaction keeps. Costs as much as its result,
   * not as the whole session.
   */
  recentBranch(sessionId: string, leaf: string | null, bytes: number): RecentBranch;
  /** The shape of the whole tree: every entry's place, parents first; those before a fork are the origin's path to it. */
  tree(sessionId: string): readonly TreeNode[];
  /** Labels in force, in the order of their entries. */
  labels(sessionId: string): readonly EntryLabel[];
  /** Messages that contain every word of `query`, best first, over all undamaged sessions. */
  search(query: string, limit: number): readonly SearchHit[];
  /**
   * Removes a session and all its data from the disk [D4]. @throws BulkheadError `usage` while it
   * has forks
   */
  deleteSession(sessionId: string, time: number): void;
  /** Sessions forked from this one. */
  forksOf(sessionId: string): readonly string[];
  /**
   * Counts a call that is in no session's log, because it was off the record: by day, purpose and
   * model only.
   */
  addSpending(call: ModelCallBody, time: number): void;
  /**
   * Model calls by day (UTC), session, purpose and model: a view of the `model_call` records [D2]. Those of deleted
   * sessions and of `addSpending` have an empty session.
   */
  modelCalls(where: ModelCallsQuery): readonly ModelCallTotals[];
  /** The state of an accepted message; undefined if it was never accepted. */
  findInput(sessionId: string, messageId: string): InputState | undefined;
  /** Accepted messages without a `settled` record, over all sessions, by session and order of acceptance. */
  openInputs(): readonly OpenInput[];
  /** All later calls throw. May be called twice. */
  close(): void;
}

export interface NewSession {
  readonly id: string;
  readonly workingFolder: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly origin?: EntryPlace;
  /** True for a session that must never reach a disk [S5]: only an in-memory store accepts it. */
  readonly offTheRecord?: boolean;
}

/** An entry of some session. */
export interface EntryPlace {
  readonly session: string;
  readonly entry: string;
}

export interface FirstRecords {
  readonly records: readonly NewRecord[];
  readonly leaf?: string | null;
  readonly title?: string;
  /** Makes another change of the database in the same transaction: records the session's owner. */
  readonly also?: () => void;
}

export interface RecentBranch {
  /** In order; the first is not the root if `whole` is false. */
  readonly entries: readonly Entry[];
  readonly whole: boolean;
}

/** Place of an entry, without its content. */
export interface TreeNode {
  readonly id: string;
  readonly parent: string | null;
  readonly type: string;
  /** The session whose log holds it. */
  readonly session: string;
}

export interface EntryLabel {
  readonly entry: string;
  readonly label: string;
}

export interface SearchHit {
  readonly session: string;
  readonly title: string;
  readonly entry: string;
  readonly time: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** The match with its surroundings, at most 200 characters, one line. */
  readonly snippet: string;
}

export interface ModelCallsQuery {
  /** Milliseconds since the epoch; from, included, to, excluded. */
  readonly from?: number;
  readonly to?: number;
  readonly session?: string;
}

export interface ModelCallTotals {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly session: string;
  readonly purpose: string;
  readonly model: string;
  readonly calls: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Of the calls with a known price. */
  readonly cost: number;
  readonly unpriced: number;
}

export interface SessionInfo {
  readonly id: string;
  /** Milliseconds since the epoch, as are all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly workingFolder: string;
  /** Empty until one is set by `append`. */
  readonly title: string;
  /** Id of the conversation's current entry; null before the first. */
  readonly leaf: string | null;
  /**
   * User and assistant messages in its own log, side branches included; the shared part of a fork
   * isn't counted.
   */
  readonly messages: number;
  /** Origin of a fork; null for other sessions. */
  readonly origin: EntryPlace | null;
  readonly offTheRecord: boolean;
  /**
   * Reason of its quarantine; empty if it is sound. Reading or changing it throws `store_corrupt`.
   */
  readonly damage: string;
  /**
   * Records that its log lost; absent if none is known to be missing. It can be read, and written
   * only after `acceptLoss`.
   */
  readonly loss?: string;
}

/** The place of a new record. */
interface NewRecordPlace {
  readonly time: number;
  /** Id of the run, empty outside one. */
  readonly turn: string;
  /** True gives the record a `seq`: clients see it. */
  readonly visible: boolean;
  /**
   * Makes the record an entry of the tree: a mark, or a `message_end` or `tool_output` whose body holds a `message` as
   * `messageBody` makes it. The parent is an earlier entry of the session's tree (the shared part of a fork included) or of
   * the same batch; null for a root.
   */
  readonly entry?: { readonly id: string; readonly parent: string | null };
  /** Required by, and only allowed for, `input_accepted` (never visible) and `settled`. */
  readonly messageId?: string;
}

export type NewRecord = NewRecordPlace & NewLogRecord;

export interface AppendOptions {
  /** Moves the leaf; null moves it before the first entry. */
  readonly leaf?: string | null;
  readonly title?: string;
  /** False skips the wait for the disk: a crash of the machine (not of the process) may lose it. */
  readonly durable?: boolean;
}

/** The place of a record in a log. */
export interface RecordPlace {
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly pos: number;
  /** From 1, without gaps over visible records; null for others. */
  readonly seq: number | null;
  readonly time: number;
  readonly turn: string;
  /** `RECORD_VERSION` of the writer. Its content is raised to the version of this program. */
  readonly version: number;
  readonly entry: string | null;
  readonly parent: string | null;
  readonly messageId: string | null;
}

export type StoredRecord = RecordPlace & LogRecord;

/** A node of the conversation. Never changes once stored. */
export type Entry = MessageEntry | MarkEntry;

interface EntryPosition {
  readonly id: string;
  readonly parent: string | null;
  readonly pos: number;
  readonly time: number;
  readonly turn: string;
  /** The session whose log holds it: another one's before a fork. */
  readonly session: string;
}

type MessageEntry = EntryPosition &
  (RecordOf<'message_end' | 'tool_output'> | Version1Record) & { readonly message: Message };

type MarkEntry = EntryPosition & RecordOf<MarkType> & { readonly message: undefined };

/** Exclusive: the result lies after it. `{ pos: 0 }` and `{ seq: 0 }` mean from the start. */
export type RecordsAfter = { readonly seq: number } | { readonly pos: number };

export interface InputState {
  readonly messageId: string;
  readonly pos: number;
  /** The last `seq` before the message was accepted: its events come after it. */
  readonly afterSeq: number;
  readonly settled: boolean;
}

export interface OpenInput {
  readonly sessionId: string;
  readonly messageId: string;
  readonly pos: number;
  readonly afterSeq: number;
  readonly time: number;
  readonly turn: string;
  /** Undefined for a version whose messages can't be read. */
  readonly body: InputBody | undefined;
}

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
 * The log of every session: records that are only ever appended, and views of them. Positions rise by
 * one per session over all records, `seq` over those that clients see; a view is always the same for the
 * same log. Every method throws BulkheadError `not_found` for a session that does not exist (save
 * `getSession`), `store_corrupt` for data that is damaged, `store_failed` when the disk refuses.
 */
export interface SessionStore {
  /**
   * Makes a session, and in the same transaction its first records: all of it or nothing. With an `origin` it is a
   * fork: it stands at that entry and shares, not copies, what leads to it, in constant time [S2].
   * @throws BulkheadError `internal` if the id is taken, `not_found` for an origin that isn't there
   */
  createSession(input: NewSession, first?: FirstRecords): SessionInfo;
  getSession(sessionId: string): SessionInfo | undefined;
  /** The most recently changed first; `limit` at least 0. */
  listSessions(limit: number): readonly SessionInfo[];
  /** How many sessions there are. */
  countSessions(): number;
  /**
   * Appends all of `records` in one transaction, or none. When it returns they are on the disk, unless
   * `durable: false` was asked for.
   * @throws BulkheadError `internal` for records that would break the log: an unknown parent or leaf, an
   *   entry id or accepted message id used twice, `settled` for a message that is not open
   */
  append(sessionId: string, records: readonly NewRecord[], options?: AppendOptions): readonly StoredRecord[];
  /**
   * Resolves once all that was written before is on the disk; one flush serves all who ask while another goes on.
   * @throws BulkheadError `store_failed`: then nothing more is written until the store is opened anew
   */
  flush(): Promise<void>;
  /** In order; without a limit, all of them. After a `seq`: only records that have one. */
  records(sessionId: string, after: RecordsAfter, limit?: number): readonly StoredRecord[];
  /** The position of the last record; 0 if there is none. */
  lastPos(sessionId: string): number;
  /** The last `seq` given out; 0 if none. */
  lastSeq(sessionId: string): number;
  /** Entries from the root to `leaf`, both included; none for the leaf null. Those before a fork are the origin's. */
  branch(sessionId: string, leaf: string | null): readonly Entry[];
  /**
   * The newest part of `branch`: entries back from `leaf` until the bodies read exceed `bytes`, or until the
   * entry that the latest compaction on the branch keeps first. Costs what it returns, not what the session holds.
   */
  recentBranch(sessionId: string, leaf: string | null, bytes: number): RecentBranch;
  /** The shape of the whole tree: every entry's place, parents first; those before a fork are the origin's path to it. */
  tree(sessionId: string): readonly TreeNode[];
  /** Labels in force, in the order of their entries. */
  labels(sessionId: string): readonly EntryLabel[];
  /** Messages that hold every word of `query`, best first, over all sessions that are not damaged. */
  search(query: string, limit: number): readonly SearchHit[];
  /** Removes a session and all it holds from the disk [D4]. @throws BulkheadError `usage` while it has forks */
  deleteSession(sessionId: string, time: number): void;
  /** Sessions forked from this one. */
  forksOf(sessionId: string): readonly string[];
  /**
   * Counts a call that no session's log tells of, because it was off the record: by day, purpose and model, and
   * nothing else of it.
   */
  addSpending(call: ModelCallBody, time: number): void;
  /**
   * Model calls by day (UTC), session, purpose and model: a view of the `model_call` records [D2]. Those of deleted
   * sessions and of `addSpending` have an empty session.
   */
  modelCalls(where: ModelCallsQuery): readonly ModelCallTotals[];
  /** What is known of an accepted message; undefined if it never was accepted. */
  findInput(sessionId: string, messageId: string): InputState | undefined;
  /** Accepted messages without a `settled` record, over all sessions, by session and order of acceptance. */
  openInputs(): readonly OpenInput[];
  /** Everything after it throws. May be called twice. */
  close(): void;
}

export interface NewSession {
  readonly id: string;
  readonly workingFolder: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly origin?: EntryPlace;
  /** True for a session that must never reach a disk [S5]: only a store that keeps none takes it. */
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
  /** Makes another change of the database in the same transaction: whose the session is. */
  readonly also?: () => void;
}

export interface RecentBranch {
  /** In order; the first is not the root if `whole` is false. */
  readonly entries: readonly Entry[];
  readonly whole: boolean;
}

/** Where an entry stands, without what it says. */
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
  /** The place that was found, at most 200 characters, one line. */
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
  /** Of the calls whose price is known. */
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
  /** Id of the entry the conversation stands at; null before the first. */
  readonly leaf: string | null;
  /** User and assistant messages in its own log, side branches included; what a fork shares isn't counted. */
  readonly messages: number;
  /** Where it was forked from; null for a session of its own. */
  readonly origin: EntryPlace | null;
  readonly offTheRecord: boolean;
  /** Why it was put under quarantine; empty if it is sound. Reading or changing it throws `store_corrupt`. */
  readonly damage: string;
  /** Absent if nothing is known to be missing. Otherwise what its log lost: it can be read, and written only after `acceptLoss`. */
  readonly loss?: string;
}

/** Where a record stands that is to be written. */
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
  /** False leaves out the wait for the disk: a crash of the machine (not of the process) may lose it. */
  readonly durable?: boolean;
}

/** Where a record stands in a log. */
export interface RecordPlace {
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly pos: number;
  /** From 1, without gaps over visible records; null for others. */
  readonly seq: number | null;
  readonly time: number;
  readonly turn: string;
  /** `RECORD_VERSION` of the writer. What it says is of the version of this program all the same. */
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

/** Exclusive: what is returned lies after it. `{ pos: 0 }` and `{ seq: 0 }` mean from the start. */
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
  /** Undefined if it is of a version whose messages can't be read. */
  readonly body: InputBody | undefined;
}

import type { JsonObject } from '@bufbuild/protobuf';
import type { Message } from '@bulkhead/protocol/chat';

/**
 * The log of every session: records that are only ever appended, and views of them. Positions rise by
 * one per session over all records, `seq` over those that clients see; a view is always the same for the
 * same log. Every method throws BulkheadError `not_found` for a session that does not exist (save
 * `getSession`), `store_corrupt` for data that is damaged, `store_failed` when the disk refuses.
 */
export interface SessionStore {
  /** @throws BulkheadError `internal` if the id is taken */
  createSession(input: {
    readonly id: string;
    readonly workingFolder: string;
    /** Milliseconds since the epoch. */
    readonly time: number;
  }): SessionInfo;
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
  /** In order; without a limit, all of them. After a `seq`: only records that have one. */
  records(sessionId: string, after: RecordsAfter, limit?: number): readonly StoredRecord[];
  /** The last `seq` given out; 0 if none. */
  lastSeq(sessionId: string): number;
  /** Entries from the root to `leaf`, both included; none for the leaf null. */
  branch(sessionId: string, leaf: string | null): readonly Entry[];
  /** What is known of an accepted message; undefined if it never was accepted. */
  findInput(sessionId: string, messageId: string): InputState | undefined;
  /** Accepted messages without a `settled` record, over all sessions, by session and order of acceptance. */
  openInputs(): readonly OpenInput[];
  /** Everything after it throws. May be called twice. */
  close(): void;
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
  /** User and assistant messages in the whole tree, side branches included. */
  readonly messages: number;
}

/** A JSON object. What JSON can't hold (undefined, functions) is lost; BigInt throws. */
export type RecordBody = Readonly<Record<string, unknown>>;

export interface NewRecord {
  readonly time: number;
  /** Id of the run, empty outside one. */
  readonly turn: string;
  /** `input_accepted` and `settled` have meaning to the store; every other type is the caller's. */
  readonly type: string;
  /** True gives the record a `seq`: clients see it. */
  readonly visible: boolean;
  /**
   * Makes the record an entry of the tree. Its body must hold a `message` as `messageBody` makes it.
   * The parent is an earlier entry of the session or of the same batch; null for a root.
   */
  readonly entry?: { readonly id: string; readonly parent: string | null };
  readonly body: RecordBody;
  /** Required by, and only allowed for, `input_accepted` (never visible) and `settled`. */
  readonly messageId?: string;
}

export interface AppendOptions {
  /** Moves the leaf; null moves it before the first entry. */
  readonly leaf?: string | null;
  readonly title?: string;
  /** False leaves out the wait for the disk: a crash of the machine (not of the process) may lose it. */
  readonly durable?: boolean;
}

export interface StoredRecord {
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly pos: number;
  /** From 1, without gaps over visible records; null for others. */
  readonly seq: number | null;
  readonly time: number;
  readonly turn: string;
  readonly type: string;
  /** `RECORD_VERSION` of the writer. */
  readonly version: number;
  readonly entry: string | null;
  readonly parent: string | null;
  readonly messageId: string | null;
  readonly body: JsonObject;
}

/** A node of the conversation. Never changes once stored. */
export interface Entry {
  readonly id: string;
  readonly parent: string | null;
  readonly pos: number;
  readonly time: number;
  readonly turn: string;
  readonly type: string;
  readonly message: Message;
  readonly body: JsonObject;
}

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
  readonly body: JsonObject;
}

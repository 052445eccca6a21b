import type { Caller } from './caller.ts';

/** What is kept under the key of a request. */
export interface KeptAnswer {
  /** Of the request. */
  readonly fingerprint: string;
  /** Opaque to the book. */
  readonly record: string;
}

/** What the engine keeps of those who speak OpenAI's API: it outlives the engine. */
export interface CallerBook {
  /** The session that this caller gave this name to; undefined if none. A caller reaches no other's. */
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
  /** What is kept of the answer of the request with this key; undefined for one that is new, or older than a day. */
  answerOf(caller: string, key: string): KeptAnswer | undefined;
  /** As durable as a run. @throws BulkheadError `store_failed`; `rate_limit` if this caller has used too many keys within a day */
  keepAnswer(caller: string, key: string, answer: KeptAnswer): void;
  /** The folder that sessions of this caller work in, absolute; made if it isn't there. @throws BulkheadError `usage` */
  folderOf(caller: Pick<Caller, 'name'>): string;
}

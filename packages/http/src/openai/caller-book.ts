import type { Caller } from './caller.ts';

/** What is kept under the key of a request. */
export interface KeptAnswer {
  /** Of the request. */
  readonly fingerprint: string;
  /** Opaque to the book. */
  readonly record: string;
}

/** Where a response is that later requests may go on from. */
interface KeptResponse {
  readonly sessionId: string;
  /** When its last message was written down; undefined if it ended with calls, which go on with their run. */
  readonly time: string | undefined;
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
  /** @returns undefined for none of this caller's; `isLast` if no other of its session was kept after it */
  responseOf(caller: string, response: string): (KeptResponse & { readonly isLast: boolean }) | undefined;
  /** One that is kept already stays as it is. @throws BulkheadError `store_failed` */
  keepResponse(caller: string, response: string, place: KeptResponse): void;
  /** The folder that sessions of this caller work in, absolute; made if it isn't there. @throws BulkheadError `not_available` */
  folderOf(caller: Pick<Caller, 'name'>): string;
}

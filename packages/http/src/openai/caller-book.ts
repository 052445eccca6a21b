import type { Caller } from './caller.ts';

/** The answer that is kept under the key of a request. */
export interface KeptAnswer {
  /** Fingerprint of the request. */
  readonly fingerprint: string;
  /** Opaque to the book. */
  readonly record: string;
}

/** Place of a response that later requests may continue. */
interface KeptResponse {
  readonly sessionId: string;
  /**
   * Time when its last message was recorded; undefined if it ended with calls, which continue with
   * their run.
   */
  readonly time: string | undefined;
}

/** The engine's records about callers of the OpenAI API. They outlive the engine. */
export interface CallerBook {
  /**
   * The session that this caller gave this name; undefined if none. A caller can't reach another's
   * sessions.
   */
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
  /** The answer kept under the key; undefined if the key is new or older than a day. */
  answerOf(caller: string, key: string): KeptAnswer | undefined;
  /** As durable as a run. @throws BulkheadError `store_failed`; `rate_limit` if this caller has used too many keys within a day */
  keepAnswer(caller: string, key: string, answer: KeptAnswer): void;
  /**
   * @returns undefined if this caller has none with this id; `isLast` if no later one of its
   *   session was kept
   */
  responseOf(caller: string, response: string): (KeptResponse & { readonly isLast: boolean }) | undefined;
  /** A response that is already kept stays unchanged. @throws BulkheadError `store_failed` */
  keepResponse(caller: string, response: string, place: KeptResponse): void;
  /**
   * The working folder for this caller's sessions, absolute; created if missing. @throws
   * BulkheadError `not_available`
   */
  folderOf(caller: Pick<Caller, 'name'>): string;
}

import type { NewRecord, StoredRecord } from './session-store.ts';

/** Facts about a session for the comparison with another log. A damaged log has none. */
export type LogStanding =
  | { readonly state: 'there'; readonly lastPos: number }
  | { readonly state: 'deleted' | 'damaged' | 'absent' };

/**
 * A disk store's knowledge of its own completeness, for the comparison with another log. The mark
 * and the losses lie in the same file as the sessions: a file restored from an older copy has its
 * older mark.
 */
export interface LogAgreement {
  /**
   * The last position of a session that is known to be on disk: a durable commit makes all earlier
   * ones durable. 0 if unknown.
   */
  flushedPos(sessionId: string): number;
  standing(sessionId: string): LogStanding;
  /** The last position of each undamaged session. */
  positions(): ReadonlyMap<string, number>;
  /**
   * As `SessionStore.records`, by position; none for a missing session. @throws BulkheadError
   * `store_corrupt`
   */
  recordsAfter(sessionId: string, pos: number, limit: number): readonly StoredRecord[];
  /** The last text of `setMark`. */
  mark(): string | undefined;
  /** Durable when it returns. */
  setMark(text: string): void;
  /**
   * Moves the write-ahead log into the database. @returns false if that has to wait for another
   * reader
   */
  checkpoint(): boolean;
  /** By session id; also of missing sessions. */
  losses(): ReadonlyMap<string, string>;
  /**
   * Makes these sessions read-only. Durable when it returns; a later note about a session replaces
   * the earlier.
   */
  noteLosses(losses: ReadonlyMap<string, string>): void;
  /**
   * Ends the loss of a session in the commit that appends these records to its log, if the session
   * exists.
   * @throws BulkheadError `not_found` without a loss
   */
  acceptLoss(sessionId: string, records: readonly NewRecord[]): readonly StoredRecord[];
}

import type { NewRecord, StoredRecord } from './session-store.ts';

/** What a comparison with another log must know of a session. A damaged log says nothing of itself. */
export type LogStanding =
  | { readonly state: 'there'; readonly lastPos: number }
  | { readonly state: 'deleted' | 'damaged' | 'absent' };

/**
 * What a store on a disk knows of its own completeness, and keeps for whoever compares it with another log. The mark and the losses lie in the
 * same file as the sessions: a file that is put back from an older copy brings its older mark with it.
 */
export interface LogAgreement {
  /** The last position of a session that is known to be on the disk: a durable commit makes all earlier ones durable. 0 if that is not known. */
  flushedPos(sessionId: string): number;
  standing(sessionId: string): LogStanding;
  /** The last position of each session that is sound. */
  positions(): ReadonlyMap<string, number>;
  /** As `SessionStore.records`, by position; none of a session that is not there. @throws BulkheadError `store_corrupt` */
  recordsAfter(sessionId: string, pos: number, limit: number): readonly StoredRecord[];
  /** The text that `setMark` was given last. */
  mark(): string | undefined;
  /** Durable when it returns. */
  setMark(text: string): void;
  /** Moves what the write-ahead log holds into the database. @returns false if that has to wait for another reader */
  checkpoint(): boolean;
  /** By session id; also of sessions that are not there. */
  losses(): ReadonlyMap<string, string>;
  /** From now on such a session is read only. Durable when it returns; a later note about a session replaces the earlier. */
  noteLosses(losses: ReadonlyMap<string, string>): void;
  /**
   * Ends the loss of a session in the commit that appends these records to its log, if it is there.
   * @throws BulkheadError `not_found` without a loss
   */
  acceptLoss(sessionId: string, records: readonly NewRecord[]): readonly StoredRecord[];
}

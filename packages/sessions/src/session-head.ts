import { crc32 } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';
import type { AppendPlan } from './plan-append.ts';
import type { RecordRow } from './record-row.ts';
import type { AppendOptions, NewSession, SessionInfo } from './session-store.ts';

/** Facts that a store keeps beside a session's log, so that a log with a lost end is noticed. */
export interface SessionHead {
  readonly info: SessionInfo;
  readonly lastPos: number;
  readonly lastSeq: number;
  /**
   * Exclusive or of the `indexDigest` of every record: shows whether the indexes by name are
   * complete.
   */
  readonly digest: number;
}

/** @throws BulkheadError `internal` for names that are not Unicode text or a time that is not in milliseconds */
export function newSession(input: NewSession): SessionHead {
  const { id, workingFolder, time, origin = null, offTheRecord = false } = input;
  const names = [id, workingFolder, origin?.session ?? '', origin?.entry ?? ''];
  if (!names.every((name) => name.isWellFormed()) || !Number.isSafeInteger(time)) {
    throw new BulkheadError(
      'internal',
      'a session needs an id and a folder of Unicode text and a time in milliseconds',
    );
  }
  const info: SessionInfo = {
    id,
    createdAt: time,
    updatedAt: time,
    workingFolder,
    title: '',
    leaf: origin?.entry ?? null,
    messages: 0,
    origin: origin === null ? null : { session: origin.session, entry: origin.entry },
    offTheRecord,
    damage: '',
  };
  return { info, lastPos: 0, lastSeq: 0, digest: 0 };
}

/** A session after an append. */
export function headAfter(
  before: SessionHead,
  plan: AppendPlan,
  options: Omit<AppendOptions, 'records'>,
): SessionHead {
  const { info } = before;
  return {
    info: {
      ...info,
      leaf: options.leaf === undefined ? info.leaf : options.leaf,
      title: options.title?.toWellFormed() ?? info.title,
      messages: info.messages + plan.messages,
      updatedAt: plan.rows.reduce((latest, row) => Math.max(latest, row.time), info.updatedAt),
    },
    lastPos: before.lastPos + plan.rows.length,
    lastSeq: plan.rows.reduce((last, row) => row.seq ?? last, before.lastSeq),
    digest: plan.rows.reduce((sum, row) => (sum ^ indexDigest(row)) >>> 0, before.digest),
  };
}

/**
 * A record's part of its session's digest: 0 for one that is never looked up by its name or kind.
 */
export function indexDigest(row: Pick<RecordRow, 'type' | 'messageId' | 'pos'>): number {
  if (row.messageId !== null) return crc32(`${row.type} ${row.messageId}`);
  return row.type === 'label' ? crc32(`label ${row.pos}`) : 0;
}

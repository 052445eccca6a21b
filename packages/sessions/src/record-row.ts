import { crc32 } from 'node:zlib';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { isMark, isMessage, type LogRecord, parseLogRecord } from '@bulkhead/protocol/records';
import { readMessage } from './message-body.ts';
import type { Entry, OpenInput, RecordPlace, StoredRecord } from './session-store.ts';

/** A stored record: its body is text, so that later changes of the object can't reach the log. */
export interface RecordRow extends RecordPlace {
  readonly type: string;
  readonly text: string;
}

/** CRC-32 over every field: detects flipped bits that SQLite can't see. */
export function checksum(row: RecordRow): number {
  const head = [row.sessionId, row.pos, row.seq, row.time, row.turn, row.type, row.version];
  return crc32(row.text, crc32(JSON.stringify([...head, row.entry, row.parent, row.messageId])));
}

/** @throws BulkheadError as `parseLogRecord`, naming the record */
export function recordFromRow(row: RecordRow): StoredRecord {
  const { sessionId, pos, seq, time, turn, version, entry, parent, messageId } = row;
  let record: LogRecord;
  try {
    record = parseLogRecord(row, row.text);
  } catch (error) {
    throw refusalOf(row, BulkheadError.from(error));
  }
  // Field by field: for a hundred thousand records that is faster than spreading the row.
  return { sessionId, pos, seq, time, turn, version, entry, parent, messageId, ...record };
}

/**
 * @throws BulkheadError as `recordFromRow`, and `store_corrupt` if the record is no entry, or has
 *   no message and is no mark
 */
export function entryFromRow(row: RecordRow): Entry {
  return entryFromRecord(recordFromRow(row));
}

/** @throws BulkheadError as `entryFromRow` */
export function entryFromRecord(record: StoredRecord): Entry {
  const { entry, parent, sessionId: session, seq, version, messageId, ...said } = record;
  if (entry === null) throw damaged(record, 'it is not an entry');
  const { pos, time, turn, ...content } = said;
  const place = { id: entry, parent, pos, time, turn, session };
  if (isMark(content)) return { ...place, ...content, message: undefined };
  if (!isMessage(content)) throw damaged(record, `an entry can't be of type ${content.type}`);
  try {
    return { ...place, ...content, message: readMessage(content.body) };
  } catch (error) {
    throw damaged(record, describeError(error), error);
  }
}

/** An accepted message that is not settled. */
export function openInputOf(
  record: StoredRecord,
  known: { readonly messageId: string; readonly afterSeq: number },
): OpenInput {
  const { sessionId, pos, time, turn } = record;
  const body = record.type === 'input_accepted' ? record.body : undefined;
  return { sessionId, ...known, pos, time, turn, body };
}

/** The error for a record that differs from the written one. */
export function damaged(
  row: { readonly sessionId: string; readonly pos: number },
  why: string,
  cause?: unknown,
): BulkheadError {
  return new BulkheadError(
    'store_corrupt',
    `record ${row.pos} of session ${row.sessionId} is damaged: ${why}`,
    {
      cause,
      fix: 'It was left as it is; other sessions are not affected. Restore a backup to get this one back.',
      details: { session: row.sessionId, pos: row.pos },
    },
  );
}

function refusalOf(place: RecordPlace, error: BulkheadError): BulkheadError {
  if (error.code === 'store_corrupt') return damaged(place, error.message, error);
  const { sessionId, pos } = place;
  const message = `record ${pos} of session ${sessionId} can't be read: ${error.message}`;
  return new BulkheadError(error.code, message, {
    cause: error,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
  });
}

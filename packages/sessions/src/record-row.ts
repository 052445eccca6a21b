import { crc32 } from 'node:zlib';
import type { JsonObject } from '@bufbuild/protobuf';
import { BulkheadError, describeError, RECORD_VERSION } from '@bulkhead/protocol';
import { isMark } from './mark-body.ts';
import { readMessage } from './message-body.ts';
import type { Entry, StoredRecord } from './session-store.ts';

/** Versions of records that this program reads; it writes `RECORD_VERSION`. */
export const SUPPORTED_RECORD_VERSIONS: readonly number[] = [1, RECORD_VERSION];

/** A record as stores keep it: its body is text, so that nobody's later change reaches the log. */
export interface RecordRow extends Omit<StoredRecord, 'body'> {
  readonly text: string;
}

/** CRC-32 over every field, so that a flipped bit which SQLite can't see is still found. */
export function checksum(row: RecordRow): number {
  const head = [row.sessionId, row.pos, row.seq, row.time, row.turn, row.type, row.version];
  return crc32(row.text, crc32(JSON.stringify([...head, row.entry, row.parent, row.messageId])));
}

/** @throws BulkheadError `store_corrupt` if the body can't be read, `not_available` if its version isn't known */
export function recordFromRow({ text, ...fields }: RecordRow): StoredRecord {
  if (!SUPPORTED_RECORD_VERSIONS.includes(fields.version)) {
    throw new BulkheadError(
      'not_available',
      `record ${fields.pos} of session ${fields.sessionId} has version ${fields.version}; this program reads up to ${RECORD_VERSION}`,
      { fix: 'Use the newer version of Bulkhead that wrote it.' },
    );
  }
  return { ...fields, body: parseBody(fields, text) };
}

/**
 * @throws BulkheadError as `recordFromRow`, and `store_corrupt` if the record is no entry, or neither a mark nor
 *   an entry with a message
 */
export function entryFromRow(row: RecordRow): Entry {
  return entryFromRecord(recordFromRow(row));
}

/** @throws BulkheadError as `entryFromRow` */
export function entryFromRecord(record: StoredRecord): Entry {
  const { entry, parent, pos, time, turn, type, body, sessionId: session } = record;
  if (entry === null) throw damaged(record, 'it is not an entry');
  try {
    const message = isMark(record) ? undefined : readMessage(body);
    return { id: entry, parent, pos, time, turn, type, session, body, message };
  } catch (error) {
    throw damaged(record, describeError(error), error);
  }
}

/** The error for a record that can't be what was written. */
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

function parseBody(row: { readonly sessionId: string; readonly pos: number }, text: string): JsonObject {
  let body: JsonObject;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw damaged(row, 'its body is not JSON', error);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw damaged(row, 'its body is not an object');
  }
  return body;
}

import type { SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';
import { checksum, damaged, type RecordRow } from '../record-row.ts';
import type { SessionInfo } from '../session-store.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** @throws BulkheadError `store_corrupt` if the row is not as it was written */
export function readRecord(sessionId: string, row: Row): RecordRow {
  const record: RecordRow = {
    sessionId,
    pos: integer(row, 'pos'),
    seq: row['seq'] === null ? null : integer(row, 'seq'),
    time: integer(row, 'time'),
    turn: text(row, 'turn'),
    type: text(row, 'type'),
    version: integer(row, 'version'),
    entry: row['entry'] === null ? null : text(row, 'entry'),
    parent: row['parent'] === null ? null : text(row, 'parent'),
    messageId: row['message_id'] === null ? null : text(row, 'message_id'),
    text: text(row, 'body'),
  };
  if (checksum(record) !== row['checksum']) throw damaged(record, 'its checksum does not match');
  return record;
}

/** @throws BulkheadError `store_corrupt` if the row is not as it was written */
export function readSession(row: Row): SessionInfo {
  const info: SessionInfo = {
    id: text(row, 'id'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    workingFolder: text(row, 'working_folder'),
    title: text(row, 'title'),
    leaf: row['leaf'] === null ? null : text(row, 'leaf'),
    messages: integer(row, 'messages'),
  };
  if (sessionChecksum(info) !== row['checksum']) {
    throw new BulkheadError(
      'store_corrupt',
      `the head of session ${info.id} is damaged: its checksum does not match`,
      {
        fix: 'It was left as it is. Restore a backup to get this session back.',
        details: { session: info.id },
      },
    );
  }
  return info;
}

/** CRC-32 over all that a session's row holds. */
export function sessionChecksum(info: SessionInfo): number {
  const { id, createdAt, updatedAt, workingFolder, title, leaf, messages } = info;
  return crc32(JSON.stringify([id, createdAt, updatedAt, workingFolder, title, leaf, messages]));
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw wrongColumn(column);
  return value;
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongColumn(column);
  return value;
}

function wrongColumn(column: string): BulkheadError {
  return new BulkheadError('store_corrupt', `a row of the session database has no usable ${column}`);
}

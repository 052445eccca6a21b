import type { SQLOutputValue } from 'node:sqlite';
import { BulkheadError } from '@bulkhead/protocol';
import { checksum, damaged, type RecordRow } from '../record-row.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** @throws BulkheadError `store_corrupt` if the row differs from the written one */
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
  return new BulkheadError(
    'store_corrupt',
    `a row of the session database is damaged: it has no usable ${column}`,
  );
}

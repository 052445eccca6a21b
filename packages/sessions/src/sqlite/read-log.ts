import { damaged, openInputOf, type RecordRow, recordFromRow } from '../record-row.ts';
import { indexDigest } from '../session-head.ts';
import type { InputState, OpenInput, RecordsAfter, StoredRecord } from '../session-store.ts';
import { damagedHead } from './head-row.ts';
import { integer, type Row, readRecord, text } from './read-row.ts';
import type { StoredHead } from './session-directory.ts';
import type { Statements } from './statements.ts';

/**
 * @throws BulkheadError `store_corrupt` if a record is damaged or missing, the last ones included
 */
export function recordsAfter(
  statements: Statements,
  { key, head }: StoredHead,
  after: RecordsAfter,
  limit: number | undefined,
): readonly StoredRecord[] {
  const bySeq = 'seq' in after;
  const from = bySeq ? after.seq : after.pos;
  const query = bySeq ? statements.recordsAfterSeq : statements.recordsAfterPos;
  const rows = query.all(key, from, limit ?? -1).map((row) => readRecord(head.info.id, row));
  let expected = from;
  for (const row of rows) {
    expected += 1;
    if ((bySeq ? row.seq : row.pos) !== expected) throw damaged(row, 'a record before it is missing');
  }
  const last = bySeq ? head.lastSeq : head.lastPos;
  const cutByLimit = limit !== undefined && limit >= 0 && rows.length >= limit;
  if (!cutByLimit && Math.max(from, expected) < last) {
    throw damaged({ sessionId: head.info.id, pos: last }, 'the log ends before it');
  }
  return rows.map(recordFromRow);
}

export function inputOf(
  statements: Statements,
  { key, head }: StoredHead,
  messageId: string,
): InputState | undefined {
  const row = statements.accepted.get(key, messageId);
  if (row === undefined) return undefined;
  const { pos } = readRecord(head.info.id, row);
  const afterSeq = seqBefore(statements, key, head.info.id, pos);
  return { messageId, pos, afterSeq, settled: statements.settled.get(key, messageId) !== undefined };
}

export function openInputsOf(statements: Statements, { key, head }: StoredHead): readonly OpenInput[] {
  return statements.openInputs.all(key).map((row) => {
    const record = recordFromRow(readRecord(head.info.id, row));
    const afterSeq = seqBefore(statements, key, head.info.id, record.pos);
    return openInputOf(record, { messageId: text(row, 'message_id'), afterSeq });
  });
}

/**
 * Compares the indexes by name of a session with its head: if they lost a name, an answered message
 * would look new.
 * @throws BulkheadError `store_corrupt`
 */
export function checkNames(statements: Statements, { key, head }: StoredHead): void {
  let digest = 0;
  const add = (type: string, row: Row): void => {
    const messageId = type === 'label' ? null : text(row, 'message_id');
    const pos = type === 'label' ? integer(row, 'pos') : 0;
    digest = (digest ^ indexDigest({ type, messageId, pos })) >>> 0;
  };
  for (const row of statements.acceptedNames.iterate(key)) add('input_accepted', row);
  for (const row of statements.settledNames.iterate(key)) add('settled', row);
  for (const row of statements.labelPlaces.iterate(key)) add('label', row);
  if (digest !== head.digest) throw damagedHead(head.info.id, 'it and the indexes of its log disagree');
}

/** The last `seq` before a position; 0 if there is none. */
function seqBefore(statements: Statements, key: number, sessionId: string, pos: number): number {
  let expected = pos;
  for (const row of statements.recordsBefore.iterate(key, pos)) {
    const record: RecordRow = readRecord(sessionId, row);
    expected -= 1;
    if (record.pos !== expected) throw damaged(record, 'a record after it is missing');
    if (record.seq !== null) return record.seq;
  }
  if (expected !== 1) throw damaged({ sessionId, pos: expected }, 'the records before it are missing');
  return 0;
}

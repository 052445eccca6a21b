import type { LogState } from '../plan-append.ts';
import { checksum, type RecordRow } from '../record-row.ts';
import { headChecksum } from './head-row.ts';
import type { StoredHead } from './session-directory.ts';
import type { Statements } from './statements.ts';

export function stateOf(
  statements: Statements,
  { key, head }: StoredHead,
  hasEntry: (id: string) => boolean,
): LogState {
  return {
    lastPos: head.lastPos,
    lastSeq: head.lastSeq,
    hasEntry,
    input: (messageId) => {
      if (statements.accepted.get(key, messageId) === undefined) return 'unknown';
      return statements.settled.get(key, messageId) === undefined ? 'open' : 'settled';
    },
  };
}

export function insertRecord(statements: Statements, key: number, row: RecordRow): void {
  const { pos, seq, time, turn, type, version, entry, parent, messageId, text } = row;
  const fields = [pos, seq, time, turn, type, version, entry, parent, messageId, text];
  statements.addRecord.run(key, ...fields, checksum(row));
}

export function insertHead(statements: Statements, { key, head }: StoredHead): void {
  const { info, lastPos, lastSeq, digest } = head;
  const { id, createdAt, updatedAt, workingFolder, title, leaf, messages, origin } = info;
  const names = [id, createdAt, updatedAt, workingFolder, title, leaf, messages];
  const place = [origin?.session ?? null, origin?.entry ?? null];
  statements.addSession.run(key, ...names, ...place, lastPos, lastSeq, digest, headChecksum(head));
}

export function updateHead(statements: Statements, { key, head }: StoredHead): void {
  const { info, lastPos, lastSeq, digest } = head;
  const { updatedAt, title, leaf, messages } = info;
  statements.changeSession.run(
    key,
    updatedAt,
    title,
    leaf,
    messages,
    lastPos,
    lastSeq,
    digest,
    headChecksum(head),
  );
}

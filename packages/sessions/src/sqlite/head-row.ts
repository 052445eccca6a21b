import { crc32 } from 'node:zlib';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionHead } from '../session-head.ts';
import type { EntryPlace } from '../session-store.ts';
import { integer, type Row, text } from './read-row.ts';

/** @throws BulkheadError `store_corrupt` if the row differs from the written one */
export function readHead(row: Row): SessionHead {
  const head: SessionHead = {
    info: {
      id: text(row, 'id'),
      createdAt: integer(row, 'created_at'),
      updatedAt: integer(row, 'updated_at'),
      workingFolder: text(row, 'working_folder'),
      title: text(row, 'title'),
      leaf: row['leaf'] === null ? null : text(row, 'leaf'),
      messages: integer(row, 'messages'),
      origin: readOrigin(row),
      offTheRecord: false,
      damage: '',
    },
    lastPos: integer(row, 'last_pos'),
    lastSeq: integer(row, 'last_seq'),
    digest: integer(row, 'digest'),
  };
  if (headChecksum(head) !== row['checksum']) throw damagedHead(head.info.id, 'its checksum does not match');
  return head;
}

/** The view of a session whose head can't be read: only its damage. */
export function unreadableHead(id: string, damage: string): SessionHead {
  const unknown = { createdAt: 0, updatedAt: 0, workingFolder: '', title: '', leaf: null, messages: 0 };
  const info = { id, ...unknown, origin: null, offTheRecord: false, damage };
  return { info, lastPos: 0, lastSeq: 0, digest: 0 };
}

export function damagedHead(sessionId: string, why: string): BulkheadError {
  return new BulkheadError('store_corrupt', `the head of session ${sessionId} is damaged: ${why}`, {
    fix: 'It was left as it is. Restore a backup to get this session back.',
    details: { session: sessionId },
  });
}

/** CRC-32 over all fields of a session's row. */
export function headChecksum({ info, lastPos, lastSeq, digest }: SessionHead): number {
  const { id, createdAt, updatedAt, workingFolder, title, leaf, messages, origin } = info;
  const place = [origin?.session ?? null, origin?.entry ?? null];
  const fixed = [id, createdAt, updatedAt, workingFolder, title, leaf, messages];
  return crc32(JSON.stringify([...fixed, ...place, lastPos, lastSeq, digest]));
}

function readOrigin(row: Row): EntryPlace | null {
  if (row['origin_session'] === null) return null;
  return { session: text(row, 'origin_session'), entry: text(row, 'origin_entry') };
}

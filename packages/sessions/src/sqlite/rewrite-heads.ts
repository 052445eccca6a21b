import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { indexDigest } from '../session-head.ts';
import { headChecksum } from './head-row.ts';
import { integer, type Row, text } from './read-row.ts';

/**
 * Adds the end of its log to each head of version 1. A head with a wrong checksum keeps it, and so
 * stays damaged.
 */
export function rewriteHeads(database: DatabaseSync): void {
  const ends = database.prepare(
    'SELECT coalesce(max(pos), 0) AS pos, coalesce(max(seq), 0) AS seq FROM records WHERE session = ?',
  );
  const named = database.prepare(
    'SELECT type, message_id, pos FROM records WHERE session = ? AND message_id IS NOT NULL',
  );
  const change = database.prepare(
    'UPDATE sessions SET last_pos = ?2, last_seq = ?3, digest = ?4, checksum = ?5 WHERE key = ?1',
  );
  for (const row of database.prepare('SELECT * FROM sessions').all()) {
    if (firstChecksum(row) !== row['checksum']) continue;
    const key = integer(row, 'key');
    const end = ends.get(key) ?? {};
    const [lastPos, lastSeq] = [integer(end, 'pos'), integer(end, 'seq')];
    let digest = 0;
    for (const record of named.iterate(key)) {
      const name = { type: text(record, 'type'), messageId: text(record, 'message_id'), pos: 0 };
      digest = (digest ^ indexDigest(name)) >>> 0;
    }
    const info = {
      id: text(row, 'id'),
      createdAt: integer(row, 'created_at'),
      updatedAt: integer(row, 'updated_at'),
      workingFolder: text(row, 'working_folder'),
      title: text(row, 'title'),
      leaf: row['leaf'] === null ? null : text(row, 'leaf'),
      messages: integer(row, 'messages'),
      origin: null,
      offTheRecord: false,
      damage: '',
    };
    change.run(key, lastPos, lastSeq, digest, headChecksum({ info, lastPos, lastSeq, digest }));
  }
}

/** CRC-32 over all fields of a head of version 1. */
function firstChecksum(row: Row): number {
  const names = ['id', 'created_at', 'updated_at', 'working_folder', 'title', 'leaf', 'messages'];
  return crc32(JSON.stringify(names.map((name) => row[name])));
}

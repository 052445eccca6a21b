import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { checksum } from '../record-row.ts';
import type { Entry, SessionStore, StoredRecord } from '../session-store.ts';

const FIXTURES = join(import.meta.dirname, '../sqlite/fixtures');

/** A copy of a database from the last release with version 1: sessions `s`, `other` and `empty`. */
export function copyVersion1(path: string): void {
  copyFileSync(join(FIXTURES, 'version-1.db'), path);
}

/** The content that this release read from it, in the form of `told`. */
export function toldByVersion1(): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, 'version-1.json'), 'utf8'));
}

/** The content of the fixture's sessions, without parts that version 1 did not have. */
export function told(store: SessionStore): unknown {
  const ids = ['s', 'other', 'empty'];
  const sessions = store.listSessions(9).map(({ origin, offTheRecord, damage, ...info }) => {
    if (origin !== null || offTheRecord || damage !== '') throw new Error('a session was changed');
    return info;
  });
  const idOf = (entry: Entry): string => entry.id;
  return {
    sessions,
    // Later releases can't read that release's messages: they are known, but without text.
    open: store
      .openInputs()
      .map(({ body, ...input }) => ({ ...input, body: body ?? writtenFor(store, input) })),
    each: ids.map((id) => ({
      id,
      records: store.records(id, { pos: 0 }).map(asStored),
      lastSeq: store.lastSeq(id),
      m1: store.findInput(id, 'm1') ?? null,
      branches: id === 'empty' ? [] : ['b', 'c'].map((leaf) => store.branch(id, leaf).map(idOf)),
    })),
  };
}

/** A record under its stored name. */
function asStored(record: StoredRecord): object {
  if (record.type !== 'version_1') return record;
  const { stored, ...rest } = record;
  return { ...rest, type: stored };
}

function writtenFor(
  store: SessionStore,
  input: { readonly sessionId: string; readonly pos: number },
): unknown {
  return store.records(input.sessionId, { pos: input.pos - 1 }, 1)[0]?.body;
}

/** Adds records to session `empty` of an open database of version 1, as that version did. */
export function growVersion1(database: DatabaseSync, records: number, length: number): void {
  const head = database.prepare(`SELECT * FROM sessions WHERE id = 'empty'`).get();
  const insert = database.prepare(
    `INSERT INTO records (session, pos, seq, time, turn, type, version, entry, parent, message_id, body, checksum)
     VALUES (?, ?, ?, 5, '', 'x', 1, NULL, NULL, NULL, ?, ?)`,
  );
  database.exec('BEGIN');
  for (let pos = 1; pos <= records; pos++) {
    const fields = { sessionId: 'empty', pos, seq: pos, time: 5, turn: '', type: 'x', version: 1 };
    const text = JSON.stringify({ text: `${pos} `.repeat(length) });
    const row = { ...fields, entry: null, parent: null, messageId: null, text };
    insert.run(Number(head?.['key']), pos, pos, text, checksum(row));
  }
  const values = [head?.['id'], head?.['created_at'], 5, head?.['working_folder'], '', null, 0];
  const change = database.prepare(`UPDATE sessions SET updated_at = 5, checksum = ? WHERE id = 'empty'`);
  change.run(crc32(JSON.stringify(values)));
  database.exec('COMMIT');
}

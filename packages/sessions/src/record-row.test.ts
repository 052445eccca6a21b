import { RECORD_VERSION } from '@bulkhead/protocol';
import { SUPPORTED_RECORD_VERSIONS } from '@bulkhead/protocol/records';
import { describe, expect, it } from 'vitest';
import { checksum, entryFromRow, type RecordRow, recordFromRow } from './record-row.ts';
import { codeOf } from './testing.ts';

const row: RecordRow = {
  sessionId: 's',
  pos: 3,
  seq: 2,
  time: 10,
  turn: 't',
  type: 'message_end',
  version: 1,
  entry: 'e',
  parent: 'p',
  messageId: null,
  text: '{"message":{"user":{"text":"hi"}}}',
};

describe('a stored record', () => {
  it('has a checksum that changes with every field', () => {
    const changed: readonly Partial<RecordRow>[] = [
      { sessionId: 'z' },
      { pos: 4 },
      { seq: null },
      { time: 11 },
      { turn: '' },
      { type: 'y' },
      { version: 2 },
      { entry: null },
      { parent: null },
      { messageId: 'm' },
      { text: '{}' },
    ];
    const sums = [row, ...changed.map((change) => ({ ...row, ...change }))].map(checksum);
    expect(new Set(sums).size).toBe(changed.length + 1);
  });

  it.each(SUPPORTED_RECORD_VERSIONS)('is read if its version is %i', (version) => {
    expect(recordFromRow({ ...row, version })).toMatchObject({ version, body: { message: {} } });
    expect(entryFromRow({ ...row, version }).message?.role.case).toBe('user');
  });

  it('is refused if its version is not known', () => {
    for (const version of [0, RECORD_VERSION + 1]) {
      expect(codeOf(() => recordFromRow({ ...row, version }))).toBe('not_available');
    }
  });

  it('may be a mark since version 2, not before', () => {
    const mark = { ...row, type: 'label', text: '{"label":"x"}' };
    expect(entryFromRow({ ...mark, version: 2 })).toMatchObject({ message: undefined, body: { label: 'x' } });
    expect(codeOf(() => entryFromRow({ ...mark, version: 1 }))).toBe('store_corrupt');
    expect(entryFromRow({ ...row, type: 'label', version: 1 }).message?.role.case).toBe('user');
  });

  it('is damaged if its body is not an object or its message not a message [S4]', () => {
    for (const text of ['', '{', '[]', 'null', '5']) {
      expect(codeOf(() => recordFromRow({ ...row, text }))).toBe('store_corrupt');
    }
    for (const text of ['{}', '{"message":null}', '{"message":{}}', '{"message":{"user":{"txt":"hi"}}}']) {
      expect(codeOf(() => entryFromRow({ ...row, text }))).toBe('store_corrupt');
    }
    expect(codeOf(() => entryFromRow({ ...row, entry: null }))).toBe('store_corrupt');
    expect(entryFromRow(row).message?.role.case).toBe('user');
  });
});

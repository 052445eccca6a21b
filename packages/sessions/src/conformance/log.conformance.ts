import { describe, expect, it } from 'vitest';
import { codeOf, entry, malformed, plain } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

const place = { time: 7, turn: 't', visible: true } as const;

export function describeLog(suite: StoreSuite): void {
  describe('the log', () => {
    it('gives every record a pos and only visible ones a seq, without gaps [T3]', () => {
      const first = suite.store.append('s', [plain('a', true), plain('b', false), plain('c', true)]);
      const second = suite.store.append('s', [plain('d', false), plain('e', true)]);
      expect([...first, ...second].map((record) => [record.pos, record.seq])).toEqual([
        [1, 1],
        [2, null],
        [3, 2],
        [4, null],
        [5, 3],
      ]);
      expect(suite.store.lastSeq('s')).toBe(3);
    });

    it('numbers every session for itself', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('s', [plain('a', true)]);
      expect(suite.store.append('other', [plain('a', true)])[0]).toMatchObject({
        pos: 1,
        seq: 1,
        sessionId: 'other',
      });
      expect(suite.store.lastSeq('s')).toBe(1);
    });

    it('reads back what was appended', () => {
      const said = { text: 'line\n"\u0000\ud83d\ude00', lone: '\ud800', deep: [{ n: 1.5, none: null }] };
      const body = { call: 'c', tool: 'x', arguments: said };
      const written = suite.store.append('s', [
        { time: 7, turn: 't', type: 'tool_call', visible: true, body },
      ]);
      expect(written[0]).toEqual({
        sessionId: 's',
        pos: 1,
        seq: 1,
        time: 7,
        turn: 't',
        type: 'tool_call',
        version: 2,
        entry: null,
        parent: null,
        messageId: null,
        body,
      });
      expect(suite.store.records('s', { pos: 0 })).toEqual(written);
    });

    it('resumes after any seq and misses nothing [T3]', () => {
      const all = suite.store.append('s', [
        plain('a', true),
        plain('b', false),
        plain('c', true),
        plain('d', true),
      ]);
      const visible = all.filter((record) => record.seq !== null);
      for (let seq = 0; seq <= 3; seq++)
        expect(suite.store.records('s', { seq })).toEqual(visible.slice(seq));
      for (let pos = 0; pos <= 4; pos++) expect(suite.store.records('s', { pos })).toEqual(all.slice(pos));
      expect(suite.store.records('s', { pos: 1 }, 2)).toEqual(all.slice(1, 3));
      expect(suite.store.records('s', { seq: 1 }, 1)).toEqual(visible.slice(1, 2));
      expect(suite.store.records('s', { seq: 99 })).toEqual([]);
    });

    it('does not change when the writer or a reader changes its objects', () => {
      const list = [1];
      const [written] = suite.store.append('s', [
        { ...place, type: 'tool_call', body: { call: 'c', tool: 'x', arguments: list } },
      ]);
      list.push(2);
      const read = written?.type === 'tool_call' ? written.body.arguments : undefined;
      if (Array.isArray(read)) read.push(3);
      expect(read).toEqual([1, 3]);
      expect(suite.store.records('s', { pos: 0 })[0]?.body).toMatchObject({ arguments: [1] });
    });

    it('takes an append as a whole or not at all', () => {
      suite.store.append('s', [entry('a', null)], { leaf: 'a' });
      const before = [suite.store.records('s', { pos: 0 }), suite.store.getSession('s')];
      const bad = [plain('ok', true), entry('b', 'a'), entry('c', 'missing')];
      expect(codeOf(() => suite.store.append('s', bad, { leaf: 'b', title: 'no' }))).toBe('internal');
      expect([suite.store.records('s', { pos: 0 }), suite.store.getSession('s')]).toEqual(before);
      expect(suite.store.append('s', [plain('next', true)])[0]).toMatchObject({ pos: 2, seq: 1 });
    });

    it('moves leaf and title without records', () => {
      suite.store.append('s', [entry('a', null)], { leaf: 'a' });
      expect(suite.store.append('s', [], { leaf: null, title: 't' })).toEqual([]);
      expect(suite.store.getSession('s')).toMatchObject({ leaf: null, title: 't' });
    });

    it('refuses records that are not well formed', () => {
      const record = plain('a', true);
      expect(codeOf(() => suite.store.append('s', [{ ...record, time: 1.5 }]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [{ ...record, turn: '\ud800' }]))).toBe('internal');
      const big = { call: 'c', tool: 'x', arguments: 1n };
      expect(codeOf(() => suite.store.append('s', [{ ...place, type: 'tool_call', body: big }]))).toBe(
        'internal',
      );
      for (const wrong of [{ type: 'x' }, { body: {} }, { body: { value: 5 } }, { body: null }]) {
        expect(codeOf(() => suite.store.append('s', [malformed(record, wrong)]))).toBe('internal');
      }
      expect(suite.store.records('s', { pos: 0 })).toEqual([]);
    });
  });
}

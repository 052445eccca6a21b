import { describe, expect, it } from 'vitest';
import { codeOf, entry, plain } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

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
      const body = { text: 'line\n"\u0000\ud83d\ude00', lone: '\ud800', deep: [{ n: 1.5, none: null }] };
      const written = suite.store.append('s', [{ time: 7, turn: 't', type: 'x', visible: true, body }]);
      expect(written[0]).toEqual({
        sessionId: 's',
        pos: 1,
        seq: 1,
        time: 7,
        turn: 't',
        type: 'x',
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
      const body = { list: [1] };
      const [written] = suite.store.append('s', [{ ...plain('a', true), body }]);
      body.list.push(2);
      const list = written?.body['list'];
      if (Array.isArray(list)) list.push(3);
      expect(suite.store.records('s', { pos: 0 })[0]?.body).toEqual({ list: [1] });
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
      expect(codeOf(() => suite.store.append('s', [{ ...record, body: { n: 1n } }]))).toBe('internal');
      expect(suite.store.records('s', { pos: 0 })).toEqual([]);
    });
  });
}

import { describe, expect, it } from 'vitest';
import { conversationOf } from '../conversation.ts';
import { codeOf, entry, malformed, mark } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

const MARKS = [
  mark('compaction', 'm', 'a', { summary: 'so far', keptFrom: 'a' }),
  mark('branch_summary', 'm', 'a', { summary: 'over there', left: 'a' }),
  mark('model_change', 'm', 'a', { model: 'vendor/two' }),
  mark('label', 'm', 'a', { label: 'good' }),
  mark('session_title', 'm', 'a', { title: 'Title' }),
  mark('custom', 'm', 'a', { name: 'x', data: [1] }),
];

export function describeMarks(suite: StoreSuite): void {
  describe('marks', () => {
    it.each(MARKS)('takes a $type without a message as an entry of the tree [S1]', (marked) => {
      suite.store.append('s', [entry('a', null), marked, entry('b', 'm')]);
      const { type, body } = marked;
      const [, read, after] = suite.store.branch('s', 'b');
      expect(read).toMatchObject({ id: 'm', parent: 'a', type, body, session: 's' });
      expect(read?.message).toBeUndefined();
      expect(after?.message?.role.case).toBe('user');
      expect(suite.store.getSession('s')?.messages).toBe(2);
    });

    it.each(MARKS)('refuses a $type that does not say what it must', (marked) => {
      suite.store.append('s', [entry('a', null)]);
      const needed = Object.keys(marked.body).filter((each) => each !== 'data' && each !== 'left');
      for (const field of needed) {
        const wrong = malformed(marked, { body: { ...marked.body, [field]: 5 } });
        expect(codeOf(() => suite.store.append('s', [wrong]))).toBe('internal');
      }
    });

    it('refuses a compaction that keeps what is no entry, and a label on nothing', () => {
      const kept = mark('compaction', 'm', null, { summary: '', keptFrom: 'zzz' });
      expect(codeOf(() => suite.store.append('s', [kept]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [mark('label', 'm', null, { label: 'x' })]))).toBe(
        'internal',
      );
    });

    it('refuses an entry of any other type without a message', () => {
      const note = { ...entry('m', null), type: 'flow_trusted', body: { value: 'x' } } as const;
      expect(codeOf(() => suite.store.append('s', [note]))).toBe('internal');
      const empty = { ...entry('m', null), type: 'message_end', body: { role: 'user' } } as const;
      expect(codeOf(() => suite.store.append('s', [empty]))).toBe('internal');
    });

    it('tells the labels in force, in the order of their entries [S2]', () => {
      suite.store.append('s', [entry('a', null), entry('b', 'a'), entry('c', 'b')]);
      suite.store.append('s', [
        mark('label', 'l1', 'c', { label: 'third' }),
        mark('label', 'l2', 'a', { label: 'first' }),
        mark('label', 'l3', 'b', { label: 'gone' }),
        mark('label', 'l4', 'a', { label: 'really first' }),
        mark('label', 'l5', 'b', { label: '' }),
      ]);
      expect(suite.store.labels('s')).toEqual([
        { entry: 'a', label: 'really first' },
        { entry: 'c', label: 'third' },
      ]);
      expect(codeOf(() => suite.store.labels('nope'))).toBe('not_found');
    });

    it('adds a compaction, deletes nothing, and undoes it by moving the leaf [K3]', () => {
      suite.store.append('s', [entry('a', null), entry('b', 'a'), entry('c', 'b')], { leaf: 'c' });
      const before = suite.store.records('s', { pos: 0 });
      const shown = conversationOf(suite.store.branch('s', 'c'));
      const body = { summary: 'a was said', keptFrom: 'b' };
      suite.store.append('s', [mark('compaction', 'm', 'c', body)], { leaf: 'm' });
      expect(suite.store.records('s', { pos: 0 }).slice(0, -1)).toEqual(before);
      const texts = conversationOf(suite.store.branch('s', 'm')).map((message) => message.role.value);
      expect(texts).toMatchObject([
        { text: expect.stringMatching(/^\[Previous conversation summary: [\s\S]*\na was said\n/) },
        { text: 'b' },
        { text: 'c' },
      ]);
      suite.store.append('s', [], { leaf: 'c' });
      expect(conversationOf(suite.store.branch('s', suite.store.getSession('s')?.leaf ?? null))).toEqual(
        shown,
      );
    });
  });
}

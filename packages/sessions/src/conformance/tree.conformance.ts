import { describe, expect, it } from 'vitest';
import { messageBody } from '../message-body.ts';
import { codeOf, entry, malformed, plain, userMessage } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeTree(suite: StoreSuite): void {
  describe('the tree', () => {
    it('gives the branch from root to leaf, other branches left out [S1]', () => {
      suite.store.append('s', [entry('a', null), entry('b', 'a'), plain('x', true), entry('c', 'b')], {
        leaf: 'c',
      });
      suite.store.append('s', [entry('d', 'b'), entry('e', 'd')], { leaf: 'e' });
      expect(suite.store.branch('s', 'c').map((each) => each.id)).toEqual(['a', 'b', 'c']);
      expect(suite.store.branch('s', 'e').map((each) => each.id)).toEqual(['a', 'b', 'd', 'e']);
      expect(suite.store.branch('s', 'a').map((each) => each.id)).toEqual(['a']);
      expect(suite.store.branch('s', null)).toEqual([]);
      expect(suite.store.getSession('s')?.leaf).toBe('e');
    });

    it('gives the places of all entries, branches that were left and a fork’s shared path included', () => {
      suite.store.append('s', [entry('a', null), plain('x', true), entry('b', 'a')], { leaf: 'b' });
      suite.store.append('s', [entry('c', 'a')], { leaf: 'c' });
      const origin = { session: 's', entry: 'c' };
      suite.store.createSession({ id: 'fork', workingFolder: '/w', time: 1, origin });
      suite.store.append('fork', [entry('d', 'c')], { leaf: 'd' });
      const placesOf = (id: string) =>
        suite.store.tree(id).map((node) => `${node.session} ${node.parent}>${node.id} ${node.type}`);
      const own = ['s null>a message_end', 's a>b message_end', 's a>c message_end'];
      expect(placesOf('s')).toEqual(own);
      expect(placesOf('fork')).toEqual([own[0], own[2], 'fork c>d message_end']);
    });

    it('gives each entry its message and what else its body holds', () => {
      const message = userMessage('hello 🌍');
      const body = { role: 'user', ...messageBody(message), cost: 0.25 } as const;
      suite.store.append('s', [{ ...entry('a', null), type: 'message_end', visible: true, body }]);
      const [read] = suite.store.branch('s', 'a');
      expect(read).toMatchObject({
        id: 'a',
        parent: null,
        pos: 1,
        time: 1000,
        turn: 'run-1',
        type: 'message_end',
        body,
      });
      expect(read?.message).toEqual(message);
    });

    it('leaves the leaf in place unless a new one is given [S3]', () => {
      suite.store.append('s', [entry('a', null)], { leaf: 'a' });
      suite.store.append('s', [entry('b', 'a')]);
      expect(suite.store.getSession('s')?.leaf).toBe('a');
    });

    it('refuses an entry twice, an unknown parent, an unknown leaf, a parent that comes later', () => {
      suite.store.append('s', [entry('a', null)]);
      expect(codeOf(() => suite.store.append('s', [entry('a', null)]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [entry('b', null), entry('b', null)]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [entry('b', 'zzz')]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [entry('b', 'b')]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [entry('b', 'c'), entry('c', 'a')]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [plain('x', true)], { leaf: 'zzz' }))).toBe('internal');
      expect(codeOf(() => suite.store.branch('s', 'zzz'))).toBe('not_found');
      expect(suite.store.records('s', { pos: 0 })).toHaveLength(1);
    });

    it('keeps entries of one session out of another', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('s', [entry('a', null)], { leaf: 'a' });
      expect(codeOf(() => suite.store.append('other', [entry('b', 'a')]))).toBe('internal');
      expect(codeOf(() => suite.store.append('other', [], { leaf: 'a' }))).toBe('internal');
      expect(codeOf(() => suite.store.branch('other', 'a'))).toBe('not_found');
    });

    it('refuses an entry whose message is not one', () => {
      const withBody = (body: object) => () =>
        suite.store.append('s', [malformed(entry('a', null), { body: { role: 'user', ...body } })]);
      expect(codeOf(withBody({}))).toBe('internal');
      expect(codeOf(withBody({ message: {} }))).toBe('internal');
      expect(codeOf(withBody({ message: { user: { text: 'x', colour: 'red' } } }))).toBe('internal');
      expect(codeOf(withBody({ message: { user: { text: 5 } } }))).toBe('internal');
    });
  });
}

import { describe, expect, it } from 'vitest';
import { codeOf, entry, mark, plain } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeForks(suite: StoreSuite): void {
  describe('forks', () => {
    const ids = (session: string, leaf: string | null): readonly string[] =>
      suite.store.branch(session, leaf).map((each) => each.id);
    const fork = (id: string, session: string, at: string) =>
      suite.store.createSession({ id, workingFolder: '/f', time: 900, origin: { session, entry: at } });
    const grow = (): void => {
      suite.store.append('s', [entry('a', null), entry('b', 'a'), entry('c', 'b')], { leaf: 'c' });
      suite.store.append('s', [entry('x', 'a')]);
    };

    it('stands at the entry it was forked from and shares what leads to it [S2]', () => {
      grow();
      const info = fork('f', 's', 'b');
      expect(info).toMatchObject({ leaf: 'b', origin: { session: 's', entry: 'b' }, workingFolder: '/f' });
      expect(suite.store.getSession('f')).toEqual(info);
      expect(ids('f', 'b')).toEqual(['a', 'b']);
      expect(suite.store.branch('f', 'b').map((each) => each.session)).toEqual(['s', 's']);
      expect(suite.store.records('f', { pos: 0 })).toEqual([]);
      expect(suite.store.forksOf('s')).toEqual(['f']);
      expect(suite.store.forksOf('f')).toEqual([]);
    });

    it('grows on its own: neither sees what the other adds [S2]', () => {
      grow();
      fork('f', 's', 'b');
      suite.store.append('f', [entry('d', 'b'), entry('e', 'a')], { leaf: 'd' });
      suite.store.append('s', [entry('d', 'c')], { leaf: 'd' });
      expect(ids('f', 'd')).toEqual(['a', 'b', 'd']);
      expect(ids('f', 'e')).toEqual(['a', 'e']);
      expect(ids('s', 'd')).toEqual(['a', 'b', 'c', 'd']);
      for (const other of ['c', 'x']) {
        expect(codeOf(() => suite.store.branch('f', other))).toBe('not_found');
        expect(codeOf(() => suite.store.append('f', [entry('n', other)]))).toBe('internal');
        expect(codeOf(() => suite.store.append('f', [], { leaf: other }))).toBe('internal');
      }
      expect(codeOf(() => suite.store.append('f', [entry('a', null)]))).toBe('internal');
      expect(codeOf(() => suite.store.branch('s', 'e'))).toBe('not_found');
      expect(suite.store.branch('f', 'd').map((each) => each.session)).toEqual(['s', 's', 'f']);
    });

    it('forks a fork, also at an entry that it shares [S2]', () => {
      grow();
      fork('f', 's', 'b');
      suite.store.append('f', [entry('d', 'b')], { leaf: 'd' });
      fork('g', 'f', 'd');
      fork('h', 'f', 'a');
      suite.store.append('g', [entry('e', 'd'), entry('e2', 'a')], { leaf: 'e' });
      suite.store.append('h', [entry('k', 'a')], { leaf: 'k' });
      expect(ids('g', 'e')).toEqual(['a', 'b', 'd', 'e']);
      expect(ids('g', 'e2')).toEqual(['a', 'e2']);
      expect(ids('h', 'k')).toEqual(['a', 'k']);
      expect(suite.store.branch('g', 'e').map((each) => each.session)).toEqual(['s', 's', 'f', 'g']);
      expect(codeOf(() => suite.store.branch('h', 'b'))).toBe('not_found');
      expect(suite.store.recentBranch('g', 'e', 1e6)).toEqual({
        entries: suite.store.branch('g', 'e'),
        whole: true,
      });
    });

    it('has the labels on its path and its own', () => {
      suite.store.append('s', [
        entry('a', null),
        mark('label', 'on', 'a', { label: 'start' }),
        entry('b', 'on'),
        mark('label', 'off', 'b', { label: 'aside' }),
      ]);
      fork('f', 's', 'b');
      expect(suite.store.labels('f')).toEqual([{ entry: 'a', label: 'start' }]);
      suite.store.append('f', [entry('c', 'b'), mark('label', 'l1', 'c', { label: 'mine' })]);
      suite.store.append('f', [mark('label', 'l2', 'b', { label: 'middle' })]);
      expect(suite.store.labels('f').map((each) => each.entry)).toEqual(['a', 'b', 'c']);
      suite.store.append('f', [mark('label', 'l3', 'a', { label: '' })]);
      expect(suite.store.labels('f').map((each) => each.entry)).toEqual(['b', 'c']);
      expect(suite.store.labels('s').map((each) => each.label)).toEqual(['start', 'aside']);
    });

    it('refuses to fork what is not there, and makes nothing', () => {
      grow();
      expect(codeOf(() => fork('f', 'nope', 'a'))).toBe('not_found');
      expect(codeOf(() => fork('f', 's', 'zzz'))).toBe('not_found');
      expect(codeOf(() => fork('f', 'f', 'a'))).toBe('not_found');
      fork('g', 's', 'b');
      expect(codeOf(() => fork('f', 'g', 'c'))).toBe('not_found');
      expect(suite.store.countSessions()).toBe(2);
    });

    it('makes a session with its first records, or none of it [S2]', () => {
      grow();
      const input = { id: 'n', workingFolder: '/w', time: 5, origin: { session: 's', entry: 'a' } };
      const good = [entry('n1', 'a'), plain('p', true)];
      expect(codeOf(() => suite.store.createSession(input, { records: [...good, entry('n1', 'a')] }))).toBe(
        'internal',
      );
      expect(codeOf(() => suite.store.createSession(input, { records: good, leaf: 'zzz' }))).toBe('internal');
      expect(suite.store.getSession('n')).toBeUndefined();
      expect(suite.store.countSessions()).toBe(1);
      const info = suite.store.createSession(input, { records: good, leaf: 'n1', title: 'new' });
      expect(info).toMatchObject({ leaf: 'n1', title: 'new', messages: 1, updatedAt: 1000, createdAt: 5 });
      expect(suite.store.getSession('n')).toEqual(info);
      expect(suite.store.records('n', { pos: 0 })).toHaveLength(2);
      expect(suite.store.lastSeq('n')).toBe(1);
      expect(ids('n', 'n1')).toEqual(['a', 'n1']);
    });
  });
}

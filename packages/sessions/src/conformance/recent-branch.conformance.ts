import { describe, expect, it } from 'vitest';
import { codeOf, entry, mark } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeRecentBranch(suite: StoreSuite): void {
  describe('the newest part of a branch', () => {
    const recent = (leaf: string | null, bytes: number) => {
      const { entries, whole } = suite.store.recentBranch('s', leaf, bytes);
      return [entries.map((each) => each.id).join(''), whole];
    };
    const size = (): number => Buffer.byteLength(JSON.stringify(entry('a', null).body));

    it('ends with the entry that goes over the bytes asked for', () => {
      suite.store.append('s', [entry('a', null), entry('b', 'a'), entry('c', 'b'), entry('z', 'a')]);
      expect(recent('c', 0)).toEqual(['c', false]);
      expect(recent('c', size() - 1)).toEqual(['c', false]);
      expect(recent('c', size())).toEqual(['bc', false]);
      expect(recent('c', 2 * size())).toEqual(['abc', true]);
      expect(recent('c', 1e9)).toEqual(['abc', true]);
      expect(recent(null, 1e9)).toEqual(['', true]);
      expect(suite.store.recentBranch('s', 'c', 1e9).entries).toEqual(suite.store.branch('s', 'c'));
      expect(codeOf(() => recent('nope', 5))).toBe('not_found');
    });

    it('ends at what the latest compaction keeps first [K3]', () => {
      suite.store.append('s', [
        entry('a', null),
        entry('b', 'a'),
        mark('compaction', '1', 'b', { summary: 'one', keptFrom: 'b' }),
        entry('c', '1'),
        entry('d', 'c'),
        mark('compaction', '2', 'd', { summary: 'two', keptFrom: 'c' }),
        entry('e', '2'),
        mark('compaction', '3', 'e', { summary: 'three', keptFrom: '3' }),
      ]);
      expect(recent('e', 1e9)).toEqual(['cd2e', false]);
      expect(recent('d', 1e9)).toEqual(['b1cd', false]);
      expect(recent('b', 1e9)).toEqual(['ab', true]);
      expect(recent('3', 1e9)).toEqual(['3', false]);
      expect(recent('e', 1)).toEqual(['e', false]);
    });
  });
}

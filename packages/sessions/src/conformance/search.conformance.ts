import { describe, expect, it } from 'vitest';
import { assistantMessage, entry, mark, toolMessage, userMessage } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeSearch(suite: StoreSuite): void {
  describe('search', () => {
    const found = (query: string, limit = 9): readonly string[] =>
      suite.store.search(query, limit).map((hit) => `${hit.session}/${hit.entry}`);

    it('finds messages of all sessions that hold every word [S2]', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('s', [
        entry('a', null, userMessage('the quick brown fox')),
        entry('b', 'a', assistantMessage('a quick answer about Ärger')),
        entry('c', 'b', toolMessage('brown output')),
        mark('branch_summary', 'm', 'c', { summary: 'quick', left: 'a' }),
      ]);
      suite.store.append('other', [entry('a', null, userMessage('Quick\nBROWN dog'))], { title: 'Dogs' });
      expect([...found('quick brown')].sort()).toEqual(['other/a', 's/a']);
      expect(found('arger')).toEqual(['s/b']);
      expect(found('fox dog')).toEqual([]);
      expect(found('output')).toEqual(['s/c']);
      expect(suite.store.search('dog', 9)).toEqual([
        {
          session: 'other',
          title: 'Dogs',
          entry: 'a',
          time: 1000,
          role: 'user',
          snippet: 'Quick BROWN dog',
        },
      ]);
      expect(suite.store.search('answer', 9)[0]?.role).toBe('assistant');
      expect(suite.store.search('output', 9)[0]?.role).toBe('tool');
      expect(found('quick', 2)).toHaveLength(2);
      expect(found('quick', 0)).toEqual([]);
    });

    it('takes the last word also as the beginning of one', () => {
      suite.store.append('s', [entry('a', null, userMessage('the database migration'))]);
      expect(found('database migr')).toEqual(['s/a']);
      expect(found('datab migration')).toEqual([]);
    });

    it('puts first what speaks of it most', () => {
      const long = 'filler '.repeat(200);
      suite.store.append('s', [
        entry('a', null, userMessage(`${long} comet ${long}`)),
        entry('b', 'a', userMessage('comet comet comet')),
        entry('c', 'b', userMessage(`${long} nothing`)),
      ]);
      expect(found('comet')).toEqual(['s/b', 's/a']);
    });

    it('sees what was appended since, also without waiting for the disk', () => {
      suite.store.append('s', [entry('a', null, userMessage('early bird'))], { durable: false });
      expect(found('bird')).toEqual(['s/a']);
      suite.store.append('s', [entry('b', 'a', userMessage('late bird'))], { durable: false });
      expect([...found('bird')].sort()).toEqual(['s/a', 's/b']);
    });

    it('takes nothing a person types as an operator', () => {
      suite.store.append('s', [entry('a', null, userMessage('one two NOT three'))]);
      const queries = [
        '"',
        '*',
        'one OR',
        'NEAR(one',
        'text:one',
        '-one',
        '^one',
        '(',
        "'; DROP",
        '\u0000',
        '',
      ];
      for (const query of queries) expect(() => suite.store.search(query, 9)).not.toThrow();
      expect(found('one NOT')).toEqual(['s/a']);
      expect(found('three"')).toEqual(['s/a']);
      expect(found('one OR four')).toEqual([]);
      expect(found('!!!')).toEqual([]);
    });

    it('shows the place that was found, on one line of at most 200 characters', () => {
      const text = `${'before '.repeat(100)}\n\tneedle\u0007 ${'after '.repeat(100)}`;
      suite.store.append('s', [entry('a', null, userMessage(text))]);
      const snippet = suite.store.search('needle', 1)[0]?.snippet ?? '';
      expect(snippet.length).toBeLessThanOrEqual(200);
      expect(snippet).toMatch(/^….*before needle after.*…$/);
    });
  });
}

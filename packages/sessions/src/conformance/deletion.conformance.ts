import { describe, expect, it } from 'vitest';
import { accepted, codeOf, entry, modelCall, userMessage } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeDeletion(suite: StoreSuite): void {
  describe('deletion', () => {
    it('leaves nothing of a session in any view [D4]', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      for (const id of ['s', 'other']) {
        suite.store.append(id, [entry('a', null, userMessage('findable')), accepted('m'), modelCall(5)]);
      }
      expect(suite.store.search('findable', 9)).toHaveLength(2);
      suite.store.deleteSession('s', 2000);
      expect(suite.store.getSession('s')).toBeUndefined();
      expect(suite.store.listSessions(9).map((each) => each.id)).toEqual(['other']);
      expect(suite.store.countSessions()).toBe(1);
      expect(suite.store.search('findable', 9).map((each) => each.session)).toEqual(['other']);
      expect(suite.store.openInputs().map((each) => each.sessionId)).toEqual(['other']);
      expect(suite.store.modelCalls({ session: 's' })).toEqual([]);
      expect(suite.store.modelCalls({ session: 'other' })).toHaveLength(1);
      expect(codeOf(() => suite.store.records('s', { pos: 0 }))).toBe('not_found');
      expect(codeOf(() => suite.store.deleteSession('s', 2000))).toBe('not_found');
      expect(suite.store.records('other', { pos: 0 })).toHaveLength(3);
    });

    it('never gives the id of a deleted session to another', () => {
      suite.store.deleteSession('s', 2000);
      expect(codeOf(() => suite.store.createSession({ id: 's', workingFolder: '/w', time: 1 }))).toBe(
        'internal',
      );
    });

    it('refuses while a fork shares what it holds, then goes [S2]', () => {
      suite.store.append('s', [entry('a', null)]);
      const origin = { session: 's', entry: 'a' };
      suite.store.createSession({ id: 'f', workingFolder: '/w', time: 1, origin });
      expect(() => suite.store.deleteSession('s', 2000)).toThrow('f shares its beginning');
      expect(codeOf(() => suite.store.deleteSession('s', 2000))).toBe('usage');
      expect(suite.store.branch('f', 'a')).toHaveLength(1);
      suite.store.deleteSession('f', 2000);
      suite.store.deleteSession('s', 2000);
      expect(suite.store.countSessions()).toBe(0);
    });
  });
}

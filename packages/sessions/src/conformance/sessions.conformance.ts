import { describe, expect, it } from 'vitest';
import { codeOf, entry, plain, toolMessage } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeSessions(suite: StoreSuite): void {
  describe('sessions', () => {
    it('describes a new one', () => {
      const info = suite.store.getSession('s');
      expect(info).toEqual({
        id: 's',
        createdAt: 500,
        updatedAt: 500,
        workingFolder: '/w',
        title: '',
        leaf: null,
        messages: 0,
        origin: null,
        offTheRecord: suite.offTheRecord,
        damage: '',
      });
    });

    it('refuses an id twice', () => {
      expect(codeOf(() => suite.store.createSession({ id: 's', workingFolder: '/x', time: 1 }))).toBe(
        'internal',
      );
      expect(suite.store.getSession('s')?.workingFolder).toBe('/w');
    });

    it('does not know what was not made', () => {
      expect(suite.store.getSession('nope')).toBeUndefined();
      expect(codeOf(() => suite.store.append('nope', [plain('a', true)]))).toBe('not_found');
      expect(codeOf(() => suite.store.records('nope', { pos: 0 }))).toBe('not_found');
      expect(codeOf(() => suite.store.lastSeq('nope'))).toBe('not_found');
      expect(codeOf(() => suite.store.branch('nope', null))).toBe('not_found');
      expect(codeOf(() => suite.store.findInput('nope', 'm'))).toBe('not_found');
    });

    it('lists the last changed first, up to the limit', () => {
      suite.store.createSession({ id: 'later', workingFolder: '/w', time: 600 });
      suite.store.createSession({ id: 'same', workingFolder: '/w', time: 600 });
      expect(suite.store.listSessions(9).map((each) => each.id)).toEqual(['same', 'later', 's']);
      suite.store.append('s', [plain('a', true, 700)]);
      expect(suite.store.listSessions(2).map((each) => each.id)).toEqual(['s', 'same']);
      expect(suite.store.listSessions(0)).toEqual([]);
      expect(suite.store.countSessions()).toBe(3);
    });

    it('keeps the title, and the time of the newest record', () => {
      suite.store.append('s', [plain('a', true, 900), plain('b', true, 800)], { title: 'Gärten 🌱' });
      suite.store.append('s', [plain('c', true, 100)]);
      expect(suite.store.getSession('s')).toMatchObject({
        title: 'Gärten 🌱',
        updatedAt: 900,
        createdAt: 500,
      });
    });

    it('counts messages of user and assistant, not results of tools', () => {
      suite.store.append('s', [entry('a', null), entry('b', 'a', toolMessage('out')), entry('c', 'b')]);
      expect(suite.store.getSession('s')?.messages).toBe(2);
    });
  });
}

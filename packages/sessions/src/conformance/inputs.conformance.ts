import { describe, expect, it } from 'vitest';
import { accepted, codeOf, inputOf, plain, settled } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

export function describeInputs(suite: StoreSuite): void {
  describe('accepted messages', () => {
    it('knows where the events of a message begin, and whether it is settled [T2]', () => {
      suite.store.append('s', [plain('a', true), plain('b', true)]);
      expect(suite.store.findInput('s', 'm1')).toBeUndefined();
      suite.store.append('s', [accepted('m1')]);
      expect(suite.store.findInput('s', 'm1')).toEqual({
        messageId: 'm1',
        pos: 3,
        afterSeq: 2,
        settled: false,
      });
      suite.store.append('s', [plain('c', true), settled('m1')]);
      expect(suite.store.findInput('s', 'm1')).toEqual({
        messageId: 'm1',
        pos: 3,
        afterSeq: 2,
        settled: true,
      });
    });

    it('accepts an id once per session, also within one append [T2]', () => {
      suite.store.append('s', [accepted('m1')]);
      expect(codeOf(() => suite.store.append('s', [accepted('m1')]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [accepted('m2'), accepted('m2')]))).toBe('internal');
      suite.store.append('s', [settled('m1')]);
      expect(codeOf(() => suite.store.append('s', [accepted('m1')]))).toBe('internal');
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('other', [accepted('m1')]);
      expect(suite.store.findInput('s', 'm2')).toBeUndefined();
    });

    it('settles a message once, and only one that was accepted [T6]', () => {
      expect(codeOf(() => suite.store.append('s', [settled('m1')]))).toBe('internal');
      suite.store.append('s', [accepted('m1'), settled('m1')]);
      expect(codeOf(() => suite.store.append('s', [settled('m1')]))).toBe('internal');
    });

    it('wants an id where it means something, and none elsewhere', () => {
      const without = ({ messageId: _, ...rest }: ReturnType<typeof accepted>) => rest;
      expect(codeOf(() => suite.store.append('s', [without(accepted('m'))]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [without(settled('m'))]))).toBe('internal');
      expect(codeOf(() => suite.store.append('s', [{ ...plain('a', true), messageId: 'm' }]))).toBe(
        'internal',
      );
      expect(codeOf(() => suite.store.append('s', [{ ...accepted('m'), visible: true }]))).toBe('internal');
    });

    it('lists what is open over all sessions, in order [T8]', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('other', [plain('a', true), accepted('m1', 42)]);
      suite.store.append('s', [accepted('m1'), accepted('m2'), accepted('m3'), settled('m2')]);
      expect(suite.store.openInputs().map((each) => [each.sessionId, each.messageId])).toEqual([
        ['s', 'm1'],
        ['s', 'm3'],
        ['other', 'm1'],
      ]);
      expect(suite.store.openInputs()[2]).toEqual({
        sessionId: 'other',
        messageId: 'm1',
        pos: 2,
        afterSeq: 1,
        time: 42,
        turn: '',
        body: inputOf('about m1'),
      });
    });
  });
}

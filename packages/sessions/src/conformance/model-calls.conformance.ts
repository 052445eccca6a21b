import { describe, expect, it } from 'vitest';
import { modelCall } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

const DAY = 86_400_000;

export function describeModelCalls(suite: StoreSuite): void {
  describe('model calls', () => {
    it('are totals by day, session, purpose and model, failures included [D2]', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('s', [
        modelCall(0),
        modelCall(DAY - 1, { ok: false, cost: null, outputTokens: 0 }),
        modelCall(DAY),
        modelCall(5, { purpose: 'title' }),
      ]);
      suite.store.append('other', [modelCall(7, { model: 'vendor/two', cost: 0.25 })]);
      const total = { session: 's', purpose: 'chat', model: 'vendor/one' };
      const counts = { calls: 1, failed: 0, inputTokens: 10, outputTokens: 3, cachedInputTokens: 2 };
      const one = { ...counts, reasoningTokens: 1, cost: 0.5, unpriced: 0 };
      expect(suite.store.modelCalls({})).toEqual([
        { ...one, day: '1970-01-01', session: 'other', purpose: 'chat', model: 'vendor/two', cost: 0.25 },
        {
          ...total,
          day: '1970-01-01',
          calls: 2,
          failed: 1,
          inputTokens: 20,
          outputTokens: 3,
          cachedInputTokens: 4,
          reasoningTokens: 2,
          cost: 0.5,
          unpriced: 1,
        },
        { ...one, ...total, day: '1970-01-01', purpose: 'title' },
        { ...one, ...total, day: '1970-01-02' },
      ]);
    });

    it('can be asked for by time and session', () => {
      suite.store.createSession({ id: 'other', workingFolder: '/w', time: 1 });
      suite.store.append('s', [modelCall(10), modelCall(20), modelCall(30)]);
      suite.store.append('other', [modelCall(20)]);
      const calls = (where: Parameters<typeof suite.store.modelCalls>[0]): number =>
        suite.store.modelCalls(where).reduce((sum, total) => sum + total.calls, 0);
      expect(calls({ from: 20 })).toBe(3);
      expect(calls({ to: 20 })).toBe(1);
      expect(calls({ from: 10, to: 30 })).toBe(3);
      expect(calls({ session: 's' })).toBe(3);
      expect(calls({ session: 's', from: 20, to: 21 })).toBe(1);
      expect(calls({ session: 'nope' })).toBe(0);
    });
  });
}

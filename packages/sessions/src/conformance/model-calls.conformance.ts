import { describe, expect, it } from 'vitest';
import { inOrder } from '../model-calls.ts';
import type { ModelCallsQuery } from '../session-store.ts';
import { CALL, modelCall } from '../testing.ts';
import type { StoreSuite } from './store-suite.ts';

const DAY = 86_400_000;

/**
 * Off the record, the sums over all sessions contain only calls of `addSpending`: each session is
 * queried separately.
 */
function callsOf({ store, offTheRecord }: StoreSuite, where: ModelCallsQuery) {
  if (!offTheRecord || where.session !== undefined) return store.modelCalls(where);
  return inOrder(['other', 's'].flatMap((session) => store.modelCalls({ ...where, session })));
}

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
      expect(callsOf(suite, {})).toEqual([
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
        callsOf(suite, where).reduce((sum, total) => sum + total.calls, 0);
      expect(calls({ from: 20 })).toBe(3);
      expect(calls({ to: 20 })).toBe(1);
      expect(calls({ from: 10, to: 30 })).toBe(3);
      expect(calls({ session: 's' })).toBe(3);
      expect(calls({ session: 's', from: 20, to: 21 })).toBe(1);
      expect(calls({ session: 'nope' })).toBe(0);
    });

    it('are counted without their session where that is not to be known [D2] [S5]', () => {
      suite.store.addSpending(CALL, 5);
      suite.store.addSpending(CALL, DAY - 1);
      suite.store.addSpending(CALL, DAY);
      const rows = suite.store.modelCalls({});
      expect(rows.map(({ day, session, calls, cost }) => ({ day, session, calls, cost }))).toEqual([
        { day: '1970-01-01', session: '', calls: 2, cost: 1 },
        { day: '1970-01-02', session: '', calls: 1, cost: 0.5 },
      ]);
      expect(suite.store.modelCalls({ from: DAY, to: 2 * DAY })).toHaveLength(1);
      expect(suite.store.modelCalls({ session: 's' })).toEqual([]);
    });

    it('stay counted when their session is deleted, so that a cap can not be emptied that way [D2]', () => {
      suite.store.append('s', [modelCall(10), modelCall(20, { ok: false, cost: null })]);
      suite.store.deleteSession('s', 30);
      const kept = {
        session: '',
        purpose: 'chat',
        model: 'vendor/one',
        calls: 2,
        failed: 1,
        cost: 0.5,
        unpriced: 1,
      };
      // Calls off the record were counted when they were made.
      expect(suite.store.modelCalls({})).toMatchObject(suite.offTheRecord ? [] : [kept]);
    });

    it('count nothing that an entry of the conversation says, and no impossible number [D2]', () => {
      const call = modelCall(10, { cost: -1e6, inputTokens: 0.5, outputTokens: -3 });
      suite.store.append('s', [call]);
      expect(suite.store.modelCalls({ session: 's' })).toMatchObject([
        { calls: 1, cost: 0, unpriced: 1, inputTokens: 0, outputTokens: 0 },
      ]);
    });
  });
}

import type { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

describe('a spend cap', () => {
  const limit = async (caps: { perDay?: number; perSession?: number }, messages: readonly string[]) => {
    const test = sessionStage({ caps });
    const session = test.create();
    for (const id of messages) test.send(session, id);
    await test.settle();
    return { ...test, session };
  };

  it('stops before the call that could break it [D2]', async () => {
    const refused = await limit({ perSession: 0.0000001 }, ['a']);
    const [error] = refused.settled(refused.session);
    const most = Number(/could cost \$(\d\.\d+)/.exec(error?.error?.message ?? '')?.[1]);
    // Each call costs 0.00011, and less than the most it could cost: after three, one more could be too much.
    const { asked, outcomes, session, store } = await limit({ perSession: most + 0.0004 }, [
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(outcomes(session).at(-1)).toBe('e limit');
    const spent = store.modelCalls({ session }).reduce((sum, { cost }) => sum + cost, 0);
    expect(spent).toBeLessThanOrEqual(most + 0.0004);
  });

  it('holds over a restart: what was spent is in the log [D2]', async () => {
    const first = await limit({ perDay: 1 }, ['a']);
    const spent = first.store.modelCalls({}).reduce((sum, { cost }) => sum + cost, 0);
    expect(spent).toBeGreaterThan(0);
    const second = sessionStage({ store: first.store, caps: { perDay: spent + 0.0001 } });
    second.send(first.session, 'b');
    await second.settle();
    expect(second.outcomes(first.session)).toEqual(['a completed', 'b limit']);
    expect(second.asked).toEqual([]);
  });

  it('refuses a model without a known price [D2]', async () => {
    const test = sessionStage({ caps: { perDay: 100 }, price: undefined });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    const error: Partial<BulkheadError> = { code: 'spend_limit' };
    expect(test.settled(session)).toMatchObject([{ outcome: 'limit', error }]);
    expect(test.asked).toEqual([]);
  });
});

import { modelError } from '@bulkhead/home/testing';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

describe('a conversation that is too long', () => {
  const overflow = { error: modelError('context_overflow') };
  const compactor = (summary: string, calls: string[] = []) => ({
    settings: { enabled: false, at: 1, keep: 1 },
    compact: async (_session: string, entries: readonly unknown[]) => {
      calls.push('compact');
      return entries.length === 0 ? undefined : { summary, keptFrom: null };
    },
  });

  it('is made shorter before it is sent again [E3]', async () => {
    const test = sessionStage({
      replies: [{ text: 'x'.repeat(5_000) }, overflow, { text: 'fine' }],
      compactor: compactor('short'),
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    test.send(session, 'b');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'b completed']);
    expect(test.history(session)[0]).toContain('short');
    const sizes = test.asked.map(({ call }) => JSON.stringify(call.messages).length);
    expect(sizes[2]).toBeLessThan(sizes[1] ?? 0);
    expect(test.types(session)).toEqual(
      expect.arrayContaining(['session_before_compact', 'session_compact']),
    );
  });

  it('is not sent again if nothing was gained [E3]', async () => {
    const calls: string[] = [];
    const test = sessionStage({
      replies: [{ text: 'x' }, overflow, overflow, { text: 'never' }],
      compactor: compactor('y'.repeat(10_000), calls),
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    test.send(session, 'b');
    await test.settle();
    expect(calls).toEqual(['compact']);
    expect(test.asked).toHaveLength(2);
    expect(test.settled(session).at(-1)).toMatchObject({ error: { code: 'context_overflow' } });
  });

  it('fails with what the provider said while nothing can make it shorter [E3]', async () => {
    const test = sessionStage({ replies: [overflow, { text: 'never' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.asked).toHaveLength(1);
    expect(test.settled(session)).toMatchObject([{ outcome: 'failed', error: { code: 'context_overflow' } }]);
  });
});

import type { Reply } from '@bulkhead/home/testing';
import { modelError } from '@bulkhead/home/testing';
import { BulkheadError } from '@bulkhead/protocol';
import { StopReason } from '@bulkhead/protocol/chat';
import type { Compactor } from '@bulkhead/runtime/testing';
import { sentMessage, sessionStage } from '@bulkhead/runtime/testing';
import { describe, expect, it } from 'vitest';

const write = ['write', { path: 'f', content: 'x' }] as const;

/** A compaction that runs until the test ends it. */
function slowCompactor() {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Compactor['compact']>>>();
  const settings = { enabled: false, at: 1, keep: 1 };
  const compactor: Compactor = { settings, compact: () => promise };
  return { compactor, resolve, reject };
}

/** Real mistakes of other systems with sessions and turns, each by its name in the requirements. */
describe('trap', () => {
  it('agent_end taken for "done" while a retry follows: it comes once, after the last attempt, before settled [T6]', async () => {
    const test = sessionStage({ replies: [{ error: modelError('overloaded') }, { text: 'done' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    const order = test
      .types(session)
      .filter((type) => ['retry_start', 'retry_end', 'agent_end', 'settled'].includes(type));
    expect(order).toEqual(['retry_start', 'retry_end', 'agent_end', 'settled']);
  });

  it('agent_end taken for "done" while a compaction follows: messages wait for it, then run [T4] [T6]', async () => {
    const slow = slowCompactor();
    const test = sessionStage({ compactor: slow.compactor });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    const compacting = test.sessions.actor(session).runCompaction('');
    test.send(session, 'b');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
    slow.resolve({ summary: 'short', keptFrom: null });
    await compacting;
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'b completed']);
  });

  it.each(['follow_up', 'steer', 'interrupt'] as const)(
    'a message sent during compaction lost, stuck or rejected: %s is run [T4] [L8]',
    async (delivery) => {
      const slow = slowCompactor();
      const test = sessionStage({ compactor: slow.compactor });
      const session = test.create();
      test.send(session, 'a');
      await test.settle();
      const compacting = test.sessions
        .actor(session)
        .runCompaction('')
        .catch(() => {});
      test.send(session, 'b', { delivery });
      slow.reject(new BulkheadError('cancelled', 'the summary was not made'));
      await compacting;
      await test.settle();
      expect(test.outcomes(session)).toEqual(['a completed', 'b completed']);
      expect(test.types(session).at(-1)).toBe('idle');
    },
  );

  it('phase set after an await so two callers pass: of two at once, one gets busy [T4]', async () => {
    const slow = slowCompactor();
    const test = sessionStage({ compactor: slow.compactor });
    const session = test.create();
    const actor = test.sessions.actor(session);
    const first = actor.runCompaction('');
    await expect(actor.runCompaction('')).rejects.toMatchObject({
      code: 'busy',
      details: { phase: 'compaction' },
    });
    expect(() => actor.accept(sentMessage('m', { delivery: 'invoke' }))).toThrow('a compaction is going on');
    slow.resolve(undefined);
    await first;
    actor.accept(sentMessage('m', { delivery: 'invoke' }));
    expect(() => actor.accept(sentMessage('n', { delivery: 'invoke' }))).toThrow('message m');
  });

  it('cancel that stops the display but not the spending: the stream is ended, and no call follows [T9]', async () => {
    const test = sessionStage({ replies: [{ text: 'long', waitMs: 50_000 }, { text: 'never' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(500);
    test.sessions.cancel(session);
    await test.settle();
    expect(test.signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(test.asked).toHaveLength(1);
    expect(test.time.monotonic()).toBeLessThan(10_000);
  });
});

/** The catalogue of other systems' costly mistakes: the rows about sessions and turns. */
describe('lesson', () => {
  it('length stop reason unhandled, the same request for ever: two requests, and a notice [L6]', async () => {
    const cut: Reply = { text: 'more and ', stop: StopReason.LENGTH };
    const test = sessionStage({ replies: Array.from({ length: 50 }, () => cut) });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.asked).toHaveLength(2);
    expect(test.settled(session)).toMatchObject([{ outcome: 'completed' }]);
    expect(test.settled(session)[0]?.answer).toContain('cut off');
  });

  it('retry wiped the queues: what waits outlives every attempt, also the last [L8] [E4]', async () => {
    const failing = Array.from({ length: 4 }, () => ({ error: modelError('overloaded') }));
    const test = sessionStage({ replies: [...failing, { text: 'fine' }, { text: 'fine' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(500);
    test.send(session, 'waits');
    test.send(session, 'steers', { delivery: 'steer' });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a failed', 'steers merged', 'waits completed']);
  });

  it('a steer in the last reply was never read: it is answered in the same run, whenever it comes [L8]', async () => {
    for (const moment of [1, 40, 80, 99, 100, 101]) {
      const test = sessionStage({ replies: [{ text: 'first', waitMs: 100 }] });
      const session = test.create();
      test.send(session, 'a');
      await test.settle(moment);
      test.send(session, 'steer', { delivery: 'steer' });
      await test.settle();
      expect(test.outcomes(session).map((line) => line.split(' ')[0])).toContain('steer');
      const asked = test.asked.at(-1)?.call.messages.map(({ role }) => role.value?.$typeName);
      expect(asked).toContain('bulkhead.chat.v1.UserMessage');
      expect(test.history(session)).toContain('user: steer');
    }
  });

  it('reload dropped the hook that saves messages: who watches has no part in keeping them [T2] [T3]', async () => {
    const test = sessionStage({ replies: [{ calls: [write] }, { text: 'kept' }] });
    const session = test.create();
    const sender = {
      sendEvent: () => {
        throw new Error('this watcher is broken');
      },
    };
    test.sessions.processMessage(sender, session, sentMessage('a'));
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
    expect(test.history(session)).toHaveLength(4);
  });

  it('summary failure deleted history: the log and what the model is shown stay as they were [K3]', async () => {
    const slow = slowCompactor();
    const test = sessionStage({ compactor: slow.compactor, replies: [{ text: 'one' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    const before = { history: test.history(session), leaf: test.store.getSession(session)?.leaf };
    const compacting = test.sessions.actor(session).runCompaction('');
    slow.reject(new BulkheadError('overloaded', 'no summary'));
    await expect(compacting).rejects.toThrow('no summary');
    expect({ history: test.history(session), leaf: test.store.getSession(session)?.leaf }).toEqual(before);
  });

  it('one that fell back from deny to ask: over the spend cap nothing is asked, it is the end of the run [D2]', async () => {
    const test = sessionStage({ caps: { perDay: 0.000_001 }, fallbacks: { 'second/m': [] } });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.asked).toEqual([]);
    expect(test.outcomes(session)).toEqual(['a limit']);
  });
});

import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

const call = (path: string): readonly [string, object] => ['write', { path, content: 'x' }];

describe('a message that steers', () => {
  it('joins the run after the batch that is under way, and is settled as merged [L8]', async () => {
    const test = sessionStage({
      replies: [{ calls: [call('f')] }, { text: 'done' }],
      act: async () => {
        test.send(session, 'steer', { delivery: 'steer' });
        return { text: 'ok', isError: false };
      },
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['steer merged', 'a completed']);
    expect(test.history(session)).toEqual([
      'user: a',
      'assistant: ToolCall',
      'tool: ok',
      'user: steer',
      'assistant: done',
    ]);
    const second = test.asked[1]?.call.messages.at(-1);
    expect(second?.role).toMatchObject({ case: 'user', value: { text: 'steer' } });
  });

  it('opens one more round if it comes during a reply without calls, even with its last delta [L8]', async () => {
    const test = sessionStage({ replies: [{ text: 'first', waitMs: 100 }, { text: 'second' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(50);
    test.send(session, 'steer', { delivery: 'steer' });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['steer merged', 'a completed']);
    expect(test.history(session)).toEqual([
      'user: a',
      'assistant: first',
      'user: steer',
      'assistant: second',
    ]);
    expect(test.settled(session).at(-1)).toMatchObject({ answer: 'second', rounds: 2 });
  });

  it('is run automatically if the run ends without another step, or was not allowed as much [L8]', async () => {
    const test = sessionStage({ replies: [{ text: 'first', waitMs: 100 }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(50);
    const options = { approve: 'deny', maxRounds: 0, dryRun: true, model: '', baseUrl: '' } as const;
    test.send(session, 'careful', { delivery: 'steer', options });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'careful completed']);
  });

  it('comes one by one if so configured, each in a round of its own [L8]', async () => {
    const test = sessionStage({
      replies: [{ text: 'first', waitMs: 100 }],
      settings: { queues: { steer: 'one', followUp: 'one' } },
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(50);
    for (const id of ['s1', 's2']) test.send(session, id, { delivery: 'steer' });
    await test.settle();
    expect(test.asked).toHaveLength(3);
    expect(test.outcomes(session)).toEqual(['s1 merged', 's2 merged', 'a completed']);
  });

  it('starts a run of its own in a session that is idle', async () => {
    const test = sessionStage();
    const session = test.create();
    test.send(session, 'a', { delivery: 'steer' });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
  });
});

describe('messages that wait', () => {
  it('share one run if so configured [L8]', async () => {
    const test = sessionStage({
      replies: [{ text: 'first', waitMs: 100 }],
      settings: { queues: { steer: 'all', followUp: 'all' } },
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(10);
    for (const id of ['b', 'c']) test.send(session, id);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'c merged', 'b completed']);
    expect(test.history(session).slice(2, 4)).toEqual(['user: b', 'user: c']);
  });

  it('are shown to clients whenever they change [L8]', async () => {
    const test = sessionStage({ replies: [{ text: 'first', waitMs: 100 }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(10);
    test.send(session, 'b');
    test.send(session, 's', { delivery: 'steer' });
    await test.settle();
    const updates = test.events(session).flatMap((e) => (e.type === 'queue_update' ? [e] : []));
    expect(updates.map(({ steer, followUp }) => ({ steer, followUp }))).toEqual([
      { steer: [], followUp: ['b'] },
      { steer: ['s'], followUp: ['b'] },
      { steer: [], followUp: ['b'] },
      { steer: [], followUp: [] },
    ]);
  });

  it('can be taken back, one by one, before they run', async () => {
    const test = sessionStage({ replies: [{ text: 'first', waitMs: 100 }] });
    const session = test.create();
    for (const id of ['a', 'b', 'c']) test.send(session, id);
    expect(test.sessions.cancel(session, 'b')).toBe(true);
    expect(test.sessions.cancel(session, 'nobody')).toBe(false);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['b aborted', 'a completed', 'c completed']);
  });

  it('are passed by one that interrupts: it cancels the run and is next [L8]', async () => {
    const test = sessionStage({ replies: [{ text: 'first', waitMs: 10_000 }] });
    const session = test.create();
    test.send(session, 'a');
    test.send(session, 'b');
    await test.settle(50);
    test.send(session, 'now', { delivery: 'interrupt' });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a aborted', 'now completed', 'b completed']);
  });

  it('stay in the log when the engine stops, and run in the next [L8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 10_000 }] });
    const session = first.create();
    for (const id of ['a', 'b']) first.send(session, id);
    await first.settle(50);
    const drained = first.sessions.drain(1_000);
    await expect(first.send(session, 'late')).rejects.toMatchObject({ code: 'not_running' });
    await first.settle();
    await drained;
    expect(first.outcomes(session)).toEqual([]);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['a completed', 'b completed']);
  });
});

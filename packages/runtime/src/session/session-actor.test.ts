import { plainMind } from '@bulkhead/mind/testing';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

const call = (path: string): readonly [string, object] => ['write', { path, content: 'x' }];

describe('a session', () => {
  it('runs messages one after the other, in the order they were accepted [P9]', async () => {
    const test = sessionStage();
    const session = test.create();
    for (const id of ['a', 'b', 'c']) test.send(session, id);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'b completed', 'c completed']);
    const starts = test.events(session).flatMap((e) => (e.type === 'agent_start' ? [e.message] : []));
    expect(starts).toEqual(['a', 'b', 'c']);
    expect(test.types(session).filter((type) => type === 'idle')).toHaveLength(1);
    expect(test.types(session).at(-1)).toBe('idle');
  });

  it('goes through a run in the order of T5 [T5]', async () => {
    const test = sessionStage({ replies: [{ calls: [call('f')] }, { text: 'done' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.events(session).filter((e) => e.type === 'error')).toEqual([]);
    const types = test.types(session).filter((type) => type !== 'state_change');
    expect(types).toEqual([
      ...['agent_start', 'message_start', 'message_end'],
      ...['turn_start', 'message_start', 'message_end', 'tool_call'],
      ...['action_started', 'shield_verdict', 'action_completed', 'tool_output', 'turn_end'],
      ...['turn_start', 'message_start', 'message_end', 'turn_end'],
      ...['response_complete', 'save_point', 'agent_end', 'settled', 'idle'],
    ]);
    const states = test.events(session).flatMap((e) => (e.type === 'state_change' ? [e.to] : []));
    expect(states).toEqual(['thinking', 'executing', 'thinking', 'idle']);
    expect(test.history(session)).toEqual([
      'user: a',
      'assistant: ToolCall',
      'tool: write done',
      'assistant: done',
    ]);
  });

  it('lets other sessions go on while one waits for a person [P9]', async () => {
    const test = sessionStage({ replies: [{ text: 'slow', waitMs: 60_000 }, { text: 'quick' }] });
    const [slow, quick] = [test.create(), test.create()];
    test.send(slow, 'a');
    await test.settle(500);
    test.send(quick, 'b');
    await test.settle(500);
    expect(test.outcomes(quick)).toEqual(['b completed']);
    expect(test.outcomes(slow)).toEqual([]);
  });

  it('tells the agent where the answer of this message is read [C1]', async () => {
    const places: (string | undefined)[] = [];
    const mind = plainMind('test');
    const test = sessionStage({
      mind: {
        tell: async (question) => {
          places.push(question.shownIn);
          return await mind.tell(question);
        },
      },
    });
    const session = test.create();
    const options = { approve: 'deny', maxRounds: 0, dryRun: false, model: '', baseUrl: '' } as const;
    test.send(session, 'a', { options: { ...options, shownIn: 'editor' } });
    test.send(session, 'b', { options });
    await test.settle();
    expect(places).toEqual(['editor', undefined]);
  });

  it('answers a message id it has seen, and runs it once [T2]', async () => {
    const test = sessionStage();
    const session = test.create();
    expect((await test.send(session, 'a')).duplicate).toBe(false);
    expect((await test.send(session, 'a')).duplicate).toBe(true);
    await test.settle();
    expect((await test.send(session, 'a')).duplicate).toBe(true);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
  });

  it('refuses what needs it idle while it works, naming what runs: no second caller passes [T4]', async () => {
    const test = sessionStage({ replies: [{ text: 'x', waitMs: 1_000 }] });
    const session = test.create();
    test.send(session, 'a', { delivery: 'invoke' });
    const busy = { code: 'busy', message: expect.stringContaining('run for message a') };
    await expect(test.send(session, 'b', { delivery: 'invoke' })).rejects.toMatchObject(busy);
    expect(() => test.tree.fork(session, '')).toThrow(expect.objectContaining(busy));
    expect(() => test.tree.moveLeaf(session, '', '')).toThrow(expect.objectContaining(busy));
    await expect(test.tree.delete(session, false)).rejects.toThrow(expect.objectContaining(busy));
    await expect(test.sessions.actor(session).runCompaction('')).rejects.toMatchObject(busy);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed']);
    expect(test.store.findInput(session, 'b')).toBeUndefined();
    expect(() => test.tree.fork(session, '')).not.toThrow();
  });

  it('tells a sender all of its message, from before the start to its end [T1] [T3]', async () => {
    const test = sessionStage({ replies: [{ text: 'hello' }] });
    const session = test.create();
    const heard: string[] = [];
    const sender = { sendEvent: ({ type }: { type: string }) => heard.push(type) };
    const input = { messageId: 'a', content: 'hi', images: [], delivery: 'follow_up' as const };
    const options = { approve: 'deny', maxRounds: 0, dryRun: false, model: '', baseUrl: '' } as const;
    test.sessions.processMessage(sender, session, { ...input, options });
    await test.settle();
    expect(heard[0]).toBe('agent_start');
    expect(heard).toContain('text_delta');
    expect(heard.at(-1)).toBe('settled');
  });
});

describe('cancel', () => {
  it('reaches a run that is about to begin, and only that one [T9]', async () => {
    const test = sessionStage();
    const session = test.create();
    test.send(session, 'a');
    test.send(session, 'b');
    expect(test.sessions.cancel(session)).toBe(true);
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a aborted', 'b completed']);
    expect(test.asked).toHaveLength(1);
  });

  it('ends all that a sender asked for, in every session, and nothing else [I4]', async () => {
    const test = sessionStage({
      replies: Array.from({ length: 4 }, () => ({ text: 'late', waitMs: 10_000 })),
    });
    const by = (id: string) => ({ origin: { channel: 'api', sender: { id }, profile: 'default' } });
    const [first, second] = [test.create(), test.create()];
    test.send(first, 'a', by('gone'));
    test.send(first, 'b', by('gone'));
    test.send(second, 'c', by('stays'));
    test.send(second, 'd', by('gone'));
    await test.settle(1_000);
    test.sessions.cancelOf('gone');
    await test.settle();
    expect(test.outcomes(first).toSorted()).toEqual(['a aborted', 'b aborted']);
    expect(test.outcomes(second).toSorted()).toEqual(['c completed', 'd aborted']);
  });

  it('ends a model call within a second and leaves a history that can go on [T9]', async () => {
    const test = sessionStage({ replies: [{ text: 'never', waitMs: 1_000_000 }, { text: 'fine' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(100);
    expect(test.sessions.cancel(session)).toBe(true);
    await test.settle(1_000);
    expect(test.outcomes(session)).toEqual(['a aborted']);
    expect(test.sessions.cancel(session)).toBe(false);
    test.send(session, 'b');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a aborted', 'b completed']);
  });

  it('ends a tool, and gives every call a result [T9]', async () => {
    const test = sessionStage({
      replies: [{ calls: [call('f'), call('g')] }],
      act: (_call, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ text: 'stopped', isError: true }));
        }),
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(100);
    test.sessions.cancel(session);
    await test.settle(1_000);
    expect(test.outcomes(session)).toEqual(['a aborted']);
    const results = test.history(session).filter((line) => line.startsWith('tool'));
    expect(results).toHaveLength(2);
  });
});

import { YES } from '@bulkhead/actions/testing';
import type { Reply } from '@bulkhead/home/testing';
import type { FileChange, FileState } from '@bulkhead/protocol';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { type StageOptions, sessionStage } from '../testing/session-stage.ts';

const write = ['write', { path: 'f', content: 'x' }] as const;
const read = ['read', { path: 'f' }] as const;
const bash = ['bash', { command: 'make' }] as const;
const change: FileChange = { path: 'f', before: 'old', after: 'new' };
const never: StageOptions['act'] = () => new Promise(() => {});

/** An engine that is gone at the given moment, and the next one over what it left. */
async function killed(options: StageOptions, at: number, next: StageOptions = {}) {
  const store = createMemorySessionStore();
  const first = sessionStage({ ...options, store });
  const session = first.create();
  first.send(session, 'a');
  await first.settle(at);
  // From here on the first engine does nothing: its scheduler stands still.
  const second = sessionStage({ replies: [{ text: 'done' }], ...next, store });
  second.sessions.recover();
  await second.settle(10_000);
  return { first, second, session };
}

const fateOf = (states: readonly FileState[], calls: readonly (readonly [string, object])[]) =>
  killed({ replies: [{ calls }], act: never, changes: [change] }, 900, { files: states });

describe('a run whose engine died', () => {
  it('starts a message that was accepted and not begun [T8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 100_000 }] });
    const session = first.create();
    first.send(session, 'a');
    first.send(session, 'b');
    await first.settle(900);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['a completed', 'b completed']);
  });

  it('goes on where a model call was cut off [T8]', async () => {
    const { second, session } = await killed({ replies: [{ text: 'slow', waitMs: 100_000 }] }, 900);
    expect(second.outcomes(session)).toEqual(['a completed']);
    expect(second.history(session)).toEqual(['user: a', 'assistant: done']);
    const types = second.types(session);
    expect(types.filter((type) => type === 'agent_start')).toHaveLength(1);
    expect(types.filter((type) => type === 'turn_start')).toHaveLength(2);
    expect(types.filter((type) => type === 'turn_end')).toHaveLength(2);
    expect(types).toContain('run_resumed');
  });

  it('keeps a finished round, and does none of its calls again [T8]', async () => {
    const replies: Reply[] = [{ calls: [bash] }, { text: 'slow', waitMs: 10_000 }];
    const { second, session } = await killed({ replies }, 1_000);
    expect(second.calls).toEqual([]);
    expect(second.history(session)).toEqual([
      'user: a',
      'assistant: ToolCall',
      'tool: bash done',
      'assistant: done',
    ]);
  });

  it('does again what only looks [T8]', async () => {
    const { second, session } = await killed({ replies: [{ calls: [read] }], act: never }, 900);
    expect(second.calls.map(({ tool }) => tool)).toEqual(['read']);
    expect(second.outcomes(session)).toEqual(['a completed']);
  });

  it('tells by the file that it was changed, and does not change it again [T8] [FG5]', async () => {
    const { second, session } = await fateOf([{ path: 'f', hash: 'new' }], [write]);
    expect(second.calls).toEqual([]);
    expect(second.history(session)[2]).toContain('It was carried out');
    expect(second.events(session)).toContainEqual(
      expect.objectContaining({ type: 'action_completed', fate: 'executed', success: true }),
    );
    expect(second.audited).toContainEqual(expect.objectContaining({ step: 'RECOVERED' }));
  });

  it('tells by the file that it was not changed, and changes it [T8] [FG5]', async () => {
    const { second, session } = await fateOf([{ path: 'f', hash: 'old' }], [write]);
    expect(second.calls.map(({ tool }) => tool)).toEqual(['write']);
    expect(second.history(session)[2]).toBe('tool: write done');
  });

  it.each([
    ['is neither as before nor as after', [{ path: 'f', hash: 'other' }]],
    ['can not be read', [{ path: 'f', hash: undefined }]],
    ['was not looked at', []],
  ])('reports an unknown outcome when the file %s [T8] [FG4]', async (_what, states) => {
    const { second, session } = await fateOf(states, [write]);
    expect(second.calls).toEqual([]);
    expect(second.history(session)[2]).toContain('not known whether it took effect');
    expect(second.events(session)).toContainEqual(
      expect.objectContaining({ type: 'run_resumed', executed: 0, notExecuted: 0, unknown: 1 }),
    );
  });

  it('never repeats a command automatically: the same needs an approval, even in a mode that never asks [T8] [FG4]', async () => {
    const { second, session } = await killed({ replies: [{ calls: [bash] }], act: never }, 900, {
      replies: [{ calls: [bash] }, { text: 'I leave it' }],
    });
    expect(second.history(session)[2]).toContain('not known whether it took effect');
    expect(second.types(session)).toContain('approval_requested');
    expect(second.calls).toEqual([]);
    expect(second.outcomes(session)).toEqual(['a blocked']);
  });

  it('does not go on with what the person had cancelled [T9]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ calls: [bash] }], act: never });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    first.sessions.cancel(session);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['a aborted']);
    expect(second.asked).toEqual([]);
    expect(second.history(session)[2]).toContain('not known');
  });

  it('withdraws an open question, and asks it anew [A6]', async () => {
    const escalate = {
      judge: async () =>
        ({ decision: 'escalate', tier: 0, rule: 'r', reason: 'sure?', confidence: 1 }) as const,
    };
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ calls: [bash] }], shield: escalate });
    const session = first.create();
    const options = { approve: 'ask', maxRounds: 0, dryRun: false, model: '', baseUrl: '' } as const;
    first.send(session, 'a', { options });
    await first.settle(900);
    const second = sessionStage({ store, shield: escalate });
    second.sessions.recover();
    await second.settle(1_000);
    const questions = second.events(session).flatMap((e) => (e.type === 'approval_requested' ? [e] : []));
    expect(questions).toHaveLength(2);
    const [old, fresh] = questions;
    expect(
      second.approvals.decide(
        { approval: old?.approval ?? '', session: session, hash: old?.hash ?? '' },
        YES,
      ),
    ).toBe(false);
    expect(
      second.approvals.decide(
        { approval: fresh?.approval ?? '', session: session, hash: fresh?.hash ?? '' },
        YES,
      ),
    ).toBe(true);
    await second.settle();
    expect(second.calls).toHaveLength(1);
    expect(second.outcomes(session)).toEqual(['a completed']);
  });

  it('is given up when its engine does not survive it again and again [T8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 100_000 }] });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    for (let time = 0; time < 5; time += 1) {
      const next = sessionStage({ store, replies: [{ text: 'slow', waitMs: 100_000 }] });
      next.sessions.recover();
      await next.settle(900);
    }
    const last = sessionStage({ store });
    expect(last.settled(session)).toMatchObject([{ outcome: 'failed', error: { code: 'interrupted' } }]);
  });

  it('has its merged steers in it once, and its waiting ones after it [L8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({
      store,
      replies: [{ calls: [bash] }, { text: 'slow', waitMs: 10_000 }],
      act: () => {
        first.send(session, 'steer', { delivery: 'steer' });
        return { text: 'ok', isError: false };
      },
    });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    first.send(session, 'later');
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['steer merged', 'a completed', 'later completed']);
    expect(second.history(session).filter((line) => line === 'user: steer')).toHaveLength(1);
    const asked = second.asked[0]?.call.messages.at(-1);
    expect(asked?.role).toMatchObject({ value: { text: 'steer' } });
  });
});

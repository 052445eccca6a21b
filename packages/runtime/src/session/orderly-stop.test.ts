import type { Reply } from '@bulkhead/home/testing';
import { BulkheadError } from '@bulkhead/protocol';
import { isOf } from '@bulkhead/protocol/records';
import { createMemorySessionStore, type SessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { type StageOptions, sessionStage } from '../testing/session-stage.ts';

const bash = ['bash', { command: 'make' }] as const;
const write = ['write', { path: 'f', content: 'x' }] as const;
const GRACE_MS = 2_500;
const ASK = { approve: 'ask', maxRounds: 0, dryRun: false, model: '', baseUrl: '' } as const;
const escalate = {
  judge: async () => ({ decision: 'escalate', tier: 0, rule: 'r', reason: 'sure?', confidence: 1 }) as const,
};

/** Ends as soon as it is cut off, as a command does. */
const untilStopped: NonNullable<StageOptions['act']> = (_call, signal) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ text: '[stopped: cancelled]', isError: true })),
  );

type Stage = ReturnType<typeof sessionStage>;

/** Stops an engine in order, and lets it come to its end. @returns messages that the next one continues */
async function stop(stage: Stage): Promise<number> {
  const drained = stage.sessions.drain(GRACE_MS);
  await stage.settle();
  return await drained;
}

/** The traces that a person's cancel would leave in a log. */
function cancels(store: SessionStore, session: string): readonly string[] {
  return store
    .records(session, { pos: 0 })
    .filter(({ type, body }) => type === 'cancel_requested' || Object.values(body).includes('cancel'))
    .map(({ type }) => type);
}

/** An engine that is stopped at the given moment, and the next one over what it left. */
async function stopped(options: StageOptions, at: number, next: StageOptions = {}) {
  const store = createMemorySessionStore();
  const first = sessionStage({ ...options, store });
  const session = first.create();
  first.send(session, 'a', { options: ASK });
  await first.settle(at);
  const left = await stop(first);
  const outcomesThen = first.outcomes(session);
  const typesThen = first.types(session);
  const second = sessionStage({ replies: [{ text: 'done' }], ...next, store });
  second.sessions.recover();
  await second.settle(10_000);
  return { first, second, session, store, left, outcomesThen, typesThen };
}

describe('a run whose engine stops', () => {
  it('has no end, is not cancelled, and goes on at the next start [P8, T8]', async () => {
    const world = await stopped({ replies: [{ text: 'slow', waitMs: 100_000 }] }, 900);
    expect(world.left).toBe(1);
    expect(world.outcomesThen).toEqual([]);
    expect(world.typesThen).not.toContain('idle');
    expect(world.second.outcomes(world.session)).toEqual(['a completed']);
    expect(world.second.history(world.session)).toEqual(['user: a', 'assistant: done']);
    expect(cancels(world.store, world.session)).toEqual([]);
    expect(world.second.events(world.session).map((e) => ('to' in e ? e.to : ''))).not.toContain('aborting');
  });

  it('may end on its own within the grace period [P8]', async () => {
    const { outcomesThen, left } = await stopped({ replies: [{ text: 'soon', waitMs: 2_000 }] }, 900);
    expect(outcomesThen).toEqual(['a completed']);
    expect(left).toBe(0);
  });

  it('begins no other round, and loses none it has finished [P8, T8]', async () => {
    const replies: Reply[] = [{ calls: [bash], waitMs: 1_500 }, { text: 'never asked' }];
    const { first, second, session } = await stopped({ replies }, 900);
    expect(first.asked).toHaveLength(1);
    expect(first.calls).toEqual([]);
    expect(second.calls.map(({ tool }) => tool)).toEqual(['bash']);
    expect(second.outcomes(session)).toEqual(['a completed']);
  });

  it('keeps what an action did that ended within the grace, and does it no second time [P8, T8]', async () => {
    const store = createMemorySessionStore();
    const stage = sessionStage({
      store,
      replies: [{ calls: [bash] }],
      act: () =>
        new Promise((resolve) => {
          const ends = (): void => resolve({ text: 'made', isError: false });
          stage.scheduler.scope('tool').later('ends', ends, 1_500);
        }),
    });
    const session = stage.create();
    stage.send(session, 'a');
    await stage.settle(900);
    expect(await stop(stage)).toBe(1);
    const second = sessionStage({ store, replies: [{ text: 'done' }] });
    second.sessions.recover();
    await second.settle();
    expect(second.calls).toEqual([]);
    expect(second.history(session)[2]).toBe('tool: made');
    expect(second.outcomes(session)).toEqual(['a completed']);
  });

  it('records no outcome of an action that the stop cut off: recovery finds out [T8, FG4]', async () => {
    const change = { path: 'f', before: 'old', after: 'new' };
    const cut: StageOptions = { replies: [{ calls: [write] }], act: untilStopped, changes: [change] };
    const undone = await stopped(cut, 900, { files: [{ path: 'f', hash: 'old' }] });
    expect(undone.typesThen).not.toContain('action_completed');
    expect(undone.second.calls.map(({ tool }) => tool)).toEqual(['write']);
    const done = await stopped(cut, 900, { files: [{ path: 'f', hash: 'new' }] });
    expect(done.second.calls).toEqual([]);
    expect(done.second.history(done.session)[2]).toContain('It was carried out');
    for (const { store, session } of [undone, done]) expect(cancels(store, session)).toEqual([]);
  });

  it('withdraws an open question at once, as no answer, and asks it anew [A6, P8]', async () => {
    const options: StageOptions = { replies: [{ calls: [bash] }], shield: escalate };
    const { first, second, session, store, typesThen } = await stopped(options, 900, {
      shield: escalate,
      replies: [{ text: 'done' }],
    });
    expect(first.approvals.open).toEqual([]);
    expect(typesThen).not.toContain('approval_decided');
    const [fresh] = second.approvals.open;
    const target = { approval: fresh?.id ?? '', session, hash: fresh?.hash ?? '' };
    const approver = { channel: 'client', id: 'owner' };
    expect(second.approvals.decide(target, { decision: 'allow', scope: 'once', approver })).toBe(true);
    await second.settle();
    expect(second.calls).toHaveLength(1);
    expect(second.outcomes(session)).toEqual(['a completed']);
    expect(cancels(store, session)).toEqual([]);
    expect(
      store
        .records(session, { pos: 0 })
        .filter(isOf('approval_decided'))
        .map(({ body }) => body.by),
    ).toContain('restart');
  });

  it('spends no attempt while it waits for one [E2, P8]', async () => {
    const failing: Reply = { error: new BulkheadError('overloaded', 'busy', { retryable: true }) };
    const { second, session } = await stopped({ replies: [failing, failing] }, 1_000, {
      replies: [failing, failing, failing, { text: 'done' }],
    });
    await second.settle();
    expect(second.outcomes(session)).toEqual(['a completed']);
  });

  it('keeps messages that wait in their order, and merges a steer once [L8, P8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ calls: [bash] }], act: untilStopped });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    first.send(session, 'steer', { delivery: 'steer' });
    first.send(session, 'b');
    first.send(session, 'c');
    expect(await stop(first)).toBe(4);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['steer merged', 'a completed', 'b completed', 'c completed']);
  });

  it('may be stopped more often than it may die [T8, P8]', async () => {
    const store = createMemorySessionStore();
    const slow: StageOptions = { store, replies: [{ text: 'slow', waitMs: 100_000 }] };
    const first = sessionStage(slow);
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    await stop(first);
    for (let time = 0; time < 10; time += 1) {
      const next = sessionStage(slow);
      next.sessions.recover();
      await next.settle(900);
      expect(await stop(next)).toBe(1);
    }
    const last = sessionStage({ store, replies: [{ text: 'done' }] });
    last.sessions.recover();
    await last.settle();
    expect(last.outcomes(session)).toEqual(['a completed']);
  });

  it('counts the deaths of its engines also between orderly stops [T8]', async () => {
    const store = createMemorySessionStore();
    const slow: StageOptions = { store, replies: [{ text: 'slow', waitMs: 100_000 }] };
    const first = sessionStage(slow);
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    await stop(first);
    // An engine that dies while it takes the run up: its stop before does not excuse that.
    for (let time = 0; time < 6; time += 1) {
      const next = sessionStage(slow);
      next.sessions.recover();
      await next.settle(900);
    }
    expect(sessionStage({ store }).settled(session)).toMatchObject([
      { outcome: 'failed', error: { code: 'interrupted' } },
    ]);
  });

  it('is still ended by a person who cancels it meanwhile [T9]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 100_000 }] });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    const drained = first.sessions.drain(GRACE_MS);
    await first.settle(1_000);
    expect(first.sessions.cancel(session)).toBe(true);
    await first.settle();
    expect(await drained).toBe(0);
    expect(first.outcomes(session)).toEqual(['a aborted']);
  });

  it('takes no message meanwhile, and says that it may be sent again [T2, P8]', async () => {
    const stage = sessionStage({ replies: [{ text: 'slow', waitMs: 100_000 }] });
    const session = stage.create();
    stage.send(session, 'a');
    await stage.settle(900);
    const drained = stage.sessions.drain(GRACE_MS);
    const refused = expect.objectContaining({ code: 'not_running', retryable: true });
    await expect(stage.send(session, 'b')).rejects.toEqual(refused);
    expect(() => stage.create()).toThrow(refused);
    await expect(stage.sessions.actor(session).compact('')).rejects.toEqual(refused);
    // Known already: the answer is that it was accepted.
    const again = stage.send(session, 'a');
    await stage.settle();
    await drained;
    await expect(again).resolves.toMatchObject({ duplicate: true });
  });
});

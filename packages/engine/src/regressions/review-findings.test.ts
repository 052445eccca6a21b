import { lookAtFiles } from '@bulkhead/actions/pipeline/look-at-files';
import { YES } from '@bulkhead/actions/testing';
import type { AgentEvent } from '@bulkhead/agent';
import type { Reply } from '@bulkhead/home/testing';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import type { FileChange } from '@bulkhead/protocol';
import { type StageOptions, sessionStage } from '@bulkhead/runtime/testing';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';

const bash = (command: string, more: object = {}) => ['bash', { command, ...more }] as const;
const never = () => new Promise<never>(() => {});
const where = { actionId: 'a', sessionId: 's', workingFolder: '/w' };

/**
 * A session in which a command was under way when its engine died; its run has continued since and
 * ended.
 */
async function withDoubt() {
  const store = createMemorySessionStore();
  const first = sessionStage({ store, replies: [{ calls: [bash('pay')] }], act: never });
  const session = first.create();
  first.send(session, 'a');
  await first.settle(900);
  const second = sessionStage({ store });
  second.sessions.recover();
  await second.settle(1_000);
  expect(second.outcomes(session)).toEqual(['a completed']);
  return { store, session };
}

async function sendTo(store: StageOptions['store'] & object, session: string, replies: readonly Reply[]) {
  const next = sessionStage({ store, replies });
  next.sessions.recover();
  next.send(session, 'b');
  await next.settle(1_000);
  return next;
}

describe('doubt about a command that may have run', () => {
  it.each([
    ['in the next run of the next engine', bash('pay')],
    ['with another time limit', bash('pay', { timeout_seconds: 60 })],
    ['with other blanks', bash('  pay ')],
  ])('is not forgotten: the same %s needs an approval [T8] [FG4]', async (_what, call) => {
    const { store, session } = await withDoubt();
    const next = await sendTo(store, session, [{ calls: [call] }]);
    expect(next.types(session)).toContain('approval_requested');
    expect(next.calls).toEqual([]);
  });

  it('does not reach other commands, and ends with the approval [T8]', async () => {
    const { store, session } = await withDoubt();
    const other = await sendTo(store, session, [{ calls: [bash('ls')] }]);
    expect(other.calls).toHaveLength(1);
    const options = { approve: 'ask', maxRounds: 0, dryRun: false, model: '', baseUrl: '' } as const;
    const again = sessionStage({ store, replies: [{ calls: [bash('pay')] }, { calls: [bash('pay')] }] });
    again.send(session, 'c', { options });
    await again.settle(1_000);
    const asked = again.events(session).findLast((event) => event.type === 'approval_requested');
    again.approvals.decide(
      { approval: asked?.approval ?? '', session: session, hash: asked?.hash ?? '' },
      YES,
    );
    await again.settle(5_000);
    expect(again.calls).toHaveLength(2);
  });
});

describe('an interrupt', () => {
  it('ends the run it came in, not the one that began after it, also over a crash [T8] [L8]', async () => {
    const store = createMemorySessionStore();
    const slow = { text: 'slow', waitMs: 50_000 };
    const first = sessionStage({ store, replies: [slow, { text: 'now' }, slow] });
    const session = first.create();
    first.send(session, 'x');
    await first.settle(100);
    first.send(session, 'a');
    first.send(session, 'i', { delivery: 'interrupt' });
    await first.settle(5_000);
    expect(first.outcomes(session)).toEqual(['x aborted', 'i completed']);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    expect(second.outcomes(session)).toEqual(['x aborted', 'i completed', 'a completed']);
  });
});

describe('a hostile agent', () => {
  /** An agent that ends its run with an invented error. */
  function lying(code: string): AgentProcess {
    const { promise, resolve } = Promise.withResolvers<AgentEvent | undefined>();
    const answer = (runId: string) => resolve({ case: 'error', value: { runId, code } } as AgentEvent);
    const connection = {
      closed: new Promise<void>(() => {}),
      close: async () => {},
      send: (directive: { case: string; value: { runId?: string } }) => {
        if (directive.case === 'process') answer(directive.value.runId ?? '');
      },
    };
    return { pid: 1, connection: connection as never, next: () => promise, kill: () => resolve(undefined) };
  }

  it.each(['audit_failed', 'store_failed', 'store_corrupt', 'spend_limit', 'interrupted'])(
    'can not say that the engine has %s: its run fails, and nothing else [P5]',
    async (code) => {
      const agents = { lease: async () => lying(code), release: () => {}, noteDeath: () => {} };
      const test = sessionStage({ agents });
      const session = test.create();
      test.send(session, 'a');
      await test.settle();
      expect(test.settled(session)).toMatchObject([{ outcome: 'failed', error: { code: 'agent_failed' } }]);
      expect(test.failures).toEqual([]);
    },
  );
});

describe('a conversation that stands in the middle of a round', () => {
  it('is sent with a result for every call: no provider takes it otherwise [T9]', async () => {
    const test = sessionStage({
      replies: [{ calls: [bash('a'), bash('b')] }, { text: 'done' }, { text: 'on' }],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    const entries = test.store.branch(session, test.store.getSession(session)?.leaf ?? null);
    const fork = test.tree.fork(session, entries[2]?.id ?? '');
    test.send(fork, 'go on');
    await test.settle();
    const sent = test.asked.at(-1)?.call.messages.map(({ role }) => role.case);
    expect(sent).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });
});

describe('a run that can not be read back', () => {
  it('is settled as failed, and the session goes on [T8]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 50_000 }] });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    const turn = store.records(session, { pos: 0 }).findLast(({ type }) => type === 'turn_start')?.turn ?? '';
    const call = { toolCall: { callId: 'c', name: 'read', argumentsJson: '{}' } };
    const body = { role: 'assistant' as const, message: { assistant: { parts: [call, call] } } };
    const entry = { id: 'twice', parent: store.getSession(session)?.leaf ?? null };
    store.append(session, [{ time: 1, turn, type: 'message_end', visible: false, entry, body }]);
    const second = sessionStage({ store });
    second.sessions.recover();
    second.send(session, 'b');
    await second.settle();
    expect(second.outcomes(session)).toEqual(['a failed', 'b completed']);
  });
});

describe('a model call that a kill cut off', () => {
  it('counts as the most it can have cost [D2] [S3]', async () => {
    const store = createMemorySessionStore();
    const first = sessionStage({ store, replies: [{ text: 'slow', waitMs: 50_000 }] });
    const session = first.create();
    first.send(session, 'a');
    await first.settle(900);
    const second = sessionStage({ store });
    second.sessions.recover();
    await second.settle();
    const [calls] = second.store.modelCalls({ session });
    expect(calls).toMatchObject({ calls: 2, failed: 1 });
    expect(calls?.outputTokens).toBe(1_010);
    expect(second.settled(session)[0]?.usage.outputTokens).toBe(1_010);
  });
});

describe('a queue', () => {
  it('has an end: more than 256 messages are not taken [FT75]', async () => {
    const test = sessionStage({ replies: [{ text: 'slow', waitMs: 50_000 }] });
    const session = test.create();
    test.send(session, 'first');
    await test.settle(100);
    for (let at = 0; at < 256; at += 1) test.send(session, `m${at}`);
    await expect(test.send(session, 'one more')).rejects.toMatchObject({ code: 'busy' });
    expect(test.store.findInput(session, 'one more')).toBeUndefined();
  });
});

describe('looking at files', () => {
  const changes: readonly FileChange[] = [{ path: 'f', before: 'old', after: 'new' }];
  const timers = (fire: boolean) => ({
    after: (_ms: number, run: () => void) => {
      if (fire) run();
      return { [Symbol.dispose]: () => {} };
    },
  });

  it('that is impossible, or takes too long, reveals nothing [T8] [FG4]', async () => {
    const broken = { inspect: () => Promise.reject(new Error('no worker')) };
    await expect(lookAtFiles(changes, broken, where, timers(false))).resolves.toBe('unknown');
    const hanging = {
      inspect: (_where: object, signal: AbortSignal) =>
        signal.aborted ? Promise.reject(signal.reason) : new Promise<never>(() => {}),
    };
    await expect(lookAtFiles(changes, hanging, where, timers(true))).resolves.toBe('unknown');
    await expect(lookAtFiles([], broken, where, timers(false))).resolves.toBe('unknown');
  });
});

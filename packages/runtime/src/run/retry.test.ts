import { modelError } from '@bulkhead/home/testing';
import { StopReason } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';
import { retryDecision } from './retry-policy.ts';

const settings = { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000, jitter: false };
const write = ['write', { path: 'f', content: 'x' }] as const;

describe('retryDecision', () => {
  it('doubles the wait with each attempt, and stops after the last [E2]', () => {
    const delays = [1, 2, 3, 4].map((attempt) =>
      retryDecision(modelError('overloaded'), attempt, settings, () => 0),
    );
    expect(delays).toEqual([
      { kind: 'again', delayMs: 2_000 },
      { kind: 'again', delayMs: 4_000 },
      { kind: 'again', delayMs: 8_000 },
      { kind: 'give_up' },
    ]);
  });

  it('waits as long as the provider asks, unless that is over a minute [E2]', () => {
    const asking = (retryAfterMs: number) =>
      retryDecision(modelError('rate_limit', { retryAfterMs }), 1, settings, () => 0);
    expect(asking(45_000)).toEqual({ kind: 'again', delayMs: 45_000 });
    expect(asking(0)).toEqual({ kind: 'again', delayMs: 0 });
    expect(asking(60_001)).toEqual({ kind: 'give_up' });
  });

  it('randomizes up to half of a wait if configured [E2]', () => {
    const jitter = { ...settings, jitter: true };
    const error = modelError('timeout');
    expect(retryDecision(error, 1, jitter, () => 0)).toEqual({ kind: 'again', delayMs: 1_000 });
    expect(retryDecision(error, 1, jitter, () => 0.999)).toEqual({ kind: 'again', delayMs: 1_999 });
  });

  it.each([
    'auth',
    'auth_permanent',
    'billing',
    'model_not_found',
    'content_blocked',
    'format_error',
  ] as const)('makes no second attempt at the same model after %s [E1]', (code) => {
    expect(retryDecision(modelError(code), 1, settings, () => 0)).toEqual({ kind: 'give_up' });
  });

  it('makes none at all if configured so [E2]', () => {
    const off = { ...settings, enabled: false };
    expect(retryDecision(modelError('overloaded'), 1, off, () => 0)).toEqual({ kind: 'give_up' });
  });
});

describe('a run whose model fails', () => {
  it('tries again after a wait, with a notice before and after, and shows no output of the failed attempt [E2] [E4]', async () => {
    const test = sessionStage({
      replies: [{ error: modelError('overloaded'), after: 'half an ans' }, { text: 'whole' }],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(1_500);
    expect(test.asked).toHaveLength(1);
    await test.settle();
    expect(test.asked).toHaveLength(2);
    expect(test.history(session)).toEqual(['user: a', 'assistant: whole']);
    const retries = test.events(session).filter(({ type }) => type.startsWith('retry'));
    expect(retries).toMatchObject([
      {
        type: 'retry_start',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 2_000,
        code: 'overloaded',
        model: 'first/m',
      },
      { type: 'retry_end', attempt: 1, success: true },
    ]);
    expect(test.outcomes(session)).toEqual(['a completed']);
  });

  it('goes on from its last finished round: no action is done twice [E4]', async () => {
    const test = sessionStage({
      replies: [{ calls: [write] }, { error: modelError('server_error') }, { text: 'done' }],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.calls).toHaveLength(1);
    expect(test.history(session)).toEqual([
      'user: a',
      'assistant: ToolCall',
      'tool: write done',
      'assistant: done',
    ]);
  });

  it('leaves the conversation as it was if nothing came of it, and keeps the message in the log [E4]', async () => {
    const test = sessionStage({
      replies: [{ text: 'hello' }, { error: modelError('format_error') }, { text: 'fine' }],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    test.send(session, 'b');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a completed', 'b failed']);
    expect(test.history(session)).toEqual(['user: a', 'assistant: hello']);
    expect(test.events(session)).toContainEqual(
      expect.objectContaining({ type: 'message_end', role: 'user', input: 'b', text: 'b' }),
    );
    test.send(session, 'c');
    await test.settle();
    expect(test.history(session)).toEqual(['user: a', 'assistant: hello', 'user: c', 'assistant: fine']);
  });

  it('keeps a history in which something was done, though it failed [E4]', async () => {
    const test = sessionStage({ replies: [{ calls: [write] }, { error: modelError('format_error') }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.outcomes(session)).toEqual(['a failed']);
    expect(test.history(session)).toEqual(['user: a', 'assistant: ToolCall', 'tool: write done']);
  });

  it('ends the wait at once when it is cancelled, and asks no model again [E2] [T9]', async () => {
    const test = sessionStage({ replies: [{ error: modelError('rate_limit', { retryAfterMs: 50_000 }) }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(5_000);
    test.sessions.cancel(session);
    await test.settle(1_000);
    expect(test.outcomes(session)).toEqual(['a aborted']);
    expect(test.types(session).filter((type) => type.startsWith('retry'))).toEqual([
      'retry_start',
      'retry_end',
    ]);
    await test.settle();
    expect(test.asked).toHaveLength(1);
  });

  it('drops the half of an answer that the limit cut, when its second half fails [E4]', async () => {
    const test = sessionStage({
      replies: [
        { text: 'one ', stop: StopReason.LENGTH },
        { error: modelError('timeout') },
        { text: 'all of it' },
      ],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.history(session)).toEqual(['user: a', 'assistant: all of it']);
    expect(test.settled(session)).toMatchObject([{ outcome: 'completed', answer: 'all of it' }]);
  });

  it('keeps what waits: a retry takes nothing from the queue [L8]', async () => {
    const test = sessionStage({ replies: [{ error: modelError('overloaded') }, { text: 'one' }] });
    const session = test.create();
    test.send(session, 'a');
    await test.settle(500);
    test.send(session, 'later');
    test.send(session, 'steer', { delivery: 'steer' });
    await test.settle();
    expect(test.outcomes(session)).toEqual(['steer merged', 'a completed', 'later completed']);
  });

  it('counts what failed attempts used [S3] [D2]', async () => {
    const usage = { inputTokens: 70, outputTokens: 3, cachedInputTokens: 0, reasoningTokens: 0 };
    const test = sessionStage({
      replies: [{ error: modelError('overloaded', { usage }) }, { text: 'x' }],
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.settled(session)).toMatchObject([{ usage: { inputTokens: 170, outputTokens: 13 } }]);
    expect(test.store.modelCalls({ session })).toMatchObject([
      { purpose: 'chat', calls: 2, failed: 1, inputTokens: 170 },
    ]);
  });
});

describe('a run with fallback models', () => {
  it('asks the next one when the first can not be cured by waiting [E5]', async () => {
    const test = sessionStage({
      replies: [{ error: modelError('billing') }],
      fallbacks: { 'second/m': [{ text: 'from the second' }] },
    });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.asked.map(({ model }) => model)).toEqual(['first/m', 'second/m']);
    expect(test.settled(session)).toMatchObject([{ outcome: 'completed', answer: 'from the second' }]);
  });

  it('leaves a provider in peace for a while after it has failed [E5]', async () => {
    const test = sessionStage({
      replies: [{ error: modelError('billing') }, { text: 'first is back' }],
      fallbacks: { 'second/m': [] },
    });
    const session = test.create();
    test.send(session, 'a');
    test.send(session, 'b');
    await test.settle();
    expect(test.asked.map(({ model }) => model)).toEqual(['first/m', 'second/m', 'second/m']);
    test.time.advanceTo(test.time.monotonic() + 61_000);
    test.send(session, 'c');
    await test.settle();
    expect(test.settled(session).at(-1)).toMatchObject({ answer: 'first is back' });
  });

  it('tries each as often as it may, then fails with the last error [E5]', async () => {
    const failing = Array.from({ length: 9 }, () => ({ error: modelError('overloaded') }));
    const test = sessionStage({ replies: failing, fallbacks: { 'second/m': failing } });
    const session = test.create();
    test.send(session, 'a');
    await test.settle();
    expect(test.asked.filter(({ model }) => model === 'first/m')).toHaveLength(4);
    expect(test.asked.filter(({ model }) => model === 'second/m')).toHaveLength(4);
    expect(test.settled(session)).toMatchObject([{ outcome: 'failed', error: { code: 'overloaded' } }]);
  });

  it('takes a key that has changed since before it gives up [E1]', async () => {
    let renewed = 0;
    const test = sessionStage({ replies: [{ error: modelError('auth') }, { text: 'in' }] });
    const session = test.create();
    test.renew(() => {
      renewed += 1;
      return true;
    });
    test.send(session, 'a');
    await test.settle();
    expect(renewed).toBe(1);
    expect(test.outcomes(session)).toEqual(['a completed']);
  });
});

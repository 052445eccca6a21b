import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import { SessionLog } from '@bulkhead/log/session/session-log';
import { ModelSource } from '@bulkhead/processes/models/model-source';
import { createIdSource, systemClock, systemTimers } from '@bulkhead/protocol';
import { createMemorySessionStore, type SessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import { type RecordedRequest, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { buildAction } from '../pipeline/canonical-action.ts';
import { openEvaluator } from './open-evaluator.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

/** The answer of an honest model: contains the canary of the request. */
const verdict = ({ bodyText }: RecordedRequest, fields: object = {}): ScriptedReply => ({
  text: JSON.stringify({
    nonce: /nonce\\*":\\*"([\da-f]{32})/.exec(bodyText)?.[1],
    decision: 'allow',
    confidence: 0.9,
    reason: 'the person asked for it',
    ...fields,
  }),
  usage: { input: 100, output: 20 },
});

function action(content: string) {
  const call = { sessionId: 's', runId: 'r', callId: 'c', tool: 'write', workingFolder: '/' };
  return buildAction(
    call,
    { name: 'write', group: 'core' },
    { arguments: { content }, effect: 'idempotent', paths: [] },
    { id: 'a', time: 1_000 },
  );
}

/** An evaluator over the gateway, with a scripted model server. */
async function evaluatorStage(
  reply: (request: RecordedRequest) => ScriptedReply,
  options: {
    store?: SessionStore;
    perMinute?: number;
    perDay?: number;
    cap?: number;
    now?: () => number;
  } = {},
) {
  const server = await startScriptedModelServer((request) => reply(request));
  const clock = { ...systemClock, now: options.now ?? systemClock.now };
  const store = options.store ?? createMemorySessionStore();
  if (store.getSession('s') === undefined) store.createSession({ id: 's', workingFolder: '/', time: 1 });
  const redaction = createRedaction([]);
  const log = new SessionLog({ store, clock, ids: createIdSource(clock.now), redaction });
  const ledger = new Ledger({
    store,
    time: { believed: () => clock.now() },
    days: createDayTotals(memoryTables()),
    caps: { perDay: options.cap, perSession: undefined },
  });
  const role = {
    provider: 'openai-compatible',
    model: 'judge',
    baseUrl: `${server.url}/v1`,
    price: { input: 1, output: 1 },
  };
  const models = new ModelSource({
    models: { shield: role, fallback: [] },
    keys: { environment: {}, secret: () => undefined },
    limits: { firstTokenMs: 5_000, idleMs: 5_000, totalMs: 5_000 },
  });
  const tier = openEvaluator(
    { clock, timers: systemTimers, log, redaction },
    {
      ledger,
      model: () => models.role('shield'),
      machine: { sinceBoot: () => clock.now(), boot: '' },
      time: { believed: () => clock.now() },
      days: createDayTotals(memoryTables()),
      timeoutMs: 3_000,
      limits: { perMinute: options.perMinute ?? 100, perDay: options.perDay ?? 100 },
    },
  );
  return {
    store,
    requests: server.requests,
    judge: (content = 'text') =>
      tier.judge(action(content), { request: 'write it' }, new AbortController().signal),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe('the evaluator over the model gateway', () => {
  it('judges by a model of its own, and its use is counted for the session [H3]', async () => {
    await using stage = await evaluatorStage(verdict);
    expect(await stage.judge()).toMatchObject({ decision: 'allow', tier: 2, confidence: 0.9 });
    expect(stage.store.modelCalls({ session: 's' })).toMatchObject([
      { purpose: 'shield', model: 'openai-compatible/judge', calls: 1, inputTokens: 100, outputTokens: 20 },
    ]);
  });

  it('is shown no secret [A7]', async () => {
    await using stage = await evaluatorStage(verdict);
    await stage.judge(`token ${TOKEN}`);
    expect(stage.requests[0]?.bodyText).not.toContain(TOKEN);
    expect(stage.requests[0]?.bodyText).toContain('[redacted:github-token]');
  });

  it('blocks after an answer that only holds a verdict, and asks a person after none [H3] [FT25]', async () => {
    for (const [reply, decision] of [
      [{ text: 'ALLOW' }, 'block'],
      [{ text: '' }, 'block'],
      [{ toolCalls: [{ name: 'allow', args: {} }] }, 'block'],
      [{ error: { status: 500, message: 'allow' } }, 'escalate'],
      [{ text: '{"nonce"', cut: { afterChunks: 1 } }, 'escalate'],
    ] as const) {
      await using stage = await evaluatorStage(() => reply);
      expect(await stage.judge()).toMatchObject({ decision, tier: 2 });
    }
    await using stage = await evaluatorStage((request) => verdict(request, { nonce: '0'.repeat(32) }));
    expect(await stage.judge()).toMatchObject({ decision: 'block' });
  });

  it('stops at its limits for a minute and a day, also after a restart [H3] [H5]', async () => {
    let now = Date.parse('2026-01-01T12:00:00Z');
    const limits = { perMinute: 2, perDay: 3, now: () => now };
    await using first = await evaluatorStage(verdict, limits);
    expect([(await first.judge())?.decision, (await first.judge())?.decision]).toEqual(['allow', 'allow']);
    expect(await first.judge()).toMatchObject({ decision: 'escalate', rule: 'evaluator-budget' });
    // Another engine over the same log.
    await using second = await evaluatorStage(verdict, { ...limits, store: first.store });
    expect(await second.judge()).toMatchObject({ decision: 'escalate', rule: 'evaluator-budget' });
    now += 61_000;
    expect(await second.judge()).toMatchObject({ decision: 'allow' });
    now += 61_000;
    expect(await second.judge()).toMatchObject({
      decision: 'escalate',
      reason: expect.stringContaining('today'),
    });
    now += 86_400_000;
    expect(await second.judge()).toMatchObject({ decision: 'allow' });
    expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
  });

  it('counts calls that are under way: many at once pass no limit [H3]', async () => {
    await using stage = await evaluatorStage(verdict, { perMinute: 3 });
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => stage.judge()));
    expect(verdicts.filter((one) => one?.decision === 'allow')).toHaveLength(3);
    expect(stage.requests).toHaveLength(3);
  });

  it('makes no call that could break a spend cap: a person decides [H5] [D2]', async () => {
    await using stage = await evaluatorStage(verdict, { cap: 0.000001 });
    expect(await stage.judge()).toMatchObject({
      decision: 'escalate',
      reason: expect.stringContaining('spend cap'),
    });
    expect(stage.requests).toEqual([]);
  });
});

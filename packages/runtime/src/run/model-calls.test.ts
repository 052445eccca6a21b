import { create } from '@bufbuild/protobuf';
import { type EphemeralEventBody, type ModelClient, systemTimers } from '@bulkhead/protocol';
import { ModelRequestSchema } from '@bulkhead/protocol/agent';
import { AssistantMessageSchema, StopReason, UsageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { runStage } from '../testing/run-stage.ts';
import { ModelCalls } from './model-calls.ts';
import { Cooldowns, ModelChain } from './model-chain.ts';

const calling = create(AssistantMessageSchema, {
  parts: [{ part: { case: 'toolCall', value: { callId: '1', name: 'read', argumentsJson: '{}' } } }],
});
const saying = create(AssistantMessageSchema, { parts: [{ part: { case: 'text', value: { text: 'x' } } }] });
const EXPANDED = {
  system: 'the system part',
  messages: [],
  tools: [],
  tail: '',
  digest: 'abc',
  added: 'continue',
} as const;
const never = new AbortController().signal;

function stage(...answers: Parameters<typeof runStage>[0] & object) {
  const made = runStage(answers);
  const { setting, journal, chain } = made;
  const models = new ModelCalls({
    services: { ...made, timers: systemTimers },
    setting,
    journal,
    models: chain,
    last: { round: undefined, calling: undefined },
    onFailure: () => {},
    expand: () => EXPANDED,
  });
  const ask = () => models.begin(create(ModelRequestSchema, { requestId: 'q' }), made.agent, never);
  return { ...made, models, ask };
}

describe('ModelCalls, asked by an agent that does not keep to the rules', () => {
  it('makes one call at a time [P5]', async () => {
    const { ask } = stage(saying);
    const first = ask();
    expect(() => ask()).toThrow('out of turn');
    await first;
  });

  it('makes none while calls of the last answer are open [P5]', async () => {
    const { ask } = stage(calling);
    await ask();
    expect(() => ask()).toThrow('out of turn');
  });

  it('makes no more than the run has, the last one without tools whatever is asked [L6]', async () => {
    const { ask, asked } = stage(saying, saying, saying);
    for (let round = 0; round < 3; round += 1) await ask();
    expect(asked.map(({ forbidTools }) => forbidTools)).toEqual([false, false, true]);
    expect(() => ask()).toThrow('more model calls');
  });

  it('gives the model the request of the engine, with the limits that are configured, and records its digest', async () => {
    const { ask, asked, store } = stage(saying);
    await ask();
    expect(asked).toMatchObject([{ system: 'the system part', maxOutputTokens: 100, cacheKey: 's' }]);
    const calls = store.records('s', { pos: 0 }).filter(({ type }) => type.startsWith('model_call'));
    expect(calls).toMatchObject([
      { type: 'model_call_begun', body: { request: 'abc', added: 'continue' } },
      { type: 'model_call', body: { request: 'abc', added: 'continue' } },
    ]);
  });
});

it('serves others between the pieces of an answer that a provider gives at once [FG10]', async () => {
  const text = 'a line of the answer\n'.repeat(30_000);
  const message = create(AssistantMessageSchema, { parts: [{ part: { case: 'text', value: { text } } }] });
  const model: ModelClient = {
    name: 'p/m',
    contextWindow: 1_000,
    price: undefined,
    async *stream() {
      yield { type: 'text', text };
      yield { type: 'finish', message, stopReason: StopReason.STOP, usage: create(UsageSchema) };
    },
  };
  const made = runStage();
  const { setting, journal, clock, agent } = made;
  const pieces: string[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const others = setInterval(() => {
    turn += 1;
  });
  const log = {
    ephemeral: (_session: string, _run: string, event: EphemeralEventBody) => {
      if (event.type === 'text_delta') pieces.push(event.text);
      turns.add(turn);
    },
  };
  const models = new ModelCalls({
    services: { ...made, log, timers: systemTimers },
    setting,
    journal,
    models: new ModelChain(model, [], new Cooldowns(clock, 1_000)),
    last: { round: undefined, calling: undefined },
    onFailure: () => {},
    expand: () => EXPANDED,
  });
  await models.begin(create(ModelRequestSchema, { requestId: 'q' }), agent, never);
  clearInterval(others);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024 + 1_024);
  expect(turns.size).toBeGreaterThan(3);
});

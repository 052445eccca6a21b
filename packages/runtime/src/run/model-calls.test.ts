import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import type { ModelClient } from '@bulkhead/protocol';
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
const never = new AbortController().signal;

function stage(...answers: Parameters<typeof runStage>[0] & object) {
  const made = runStage(answers);
  const { setting, journal, ledger, redaction, chain } = made;
  const models = new ModelCalls({
    setting,
    journal,
    ledger,
    redaction,
    models: chain,
    last: { round: undefined, calling: undefined },
    onFailure: () => {},
  });
  const ask = (fields: { maxOutputTokens?: number; forbidTools?: boolean } = {}) =>
    models.begin(create(ModelRequestSchema, { requestId: 'q', ...fields }), made.agent, never);
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
    const { ask, models } = stage(calling);
    await ask();
    models.recordAnswer();
    expect(() => ask()).toThrow('out of turn');
  });

  it('makes no more than the run has, the last one without tools whatever is asked [L6]', async () => {
    const { ask, models, asked } = stage(saying, saying, saying);
    for (let round = 0; round < 3; round += 1) {
      await ask({ forbidTools: false });
      models.recordAnswer();
    }
    expect(asked.map(({ forbidTools }) => forbidTools)).toEqual([false, false, true]);
    expect(() => ask()).toThrow('more model calls');
  });

  it('lets nobody ask for a longer answer than is configured', async () => {
    const { ask, asked } = stage(saying);
    await ask({ maxOutputTokens: 1_000_000 });
    expect(asked[0]?.maxOutputTokens).toBe(100);
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
  const { setting, journal, ledger, redaction, clock, agent } = runStage();
  const pieces: string[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const others = setInterval(() => {
    turn += 1;
  });
  const listener = {
    ...agent,
    connection: Object.assign(agent.connection, {
      sendModelDelta: (_request: string, _kind: string, piece: string) => {
        pieces.push(piece);
        turns.add(turn);
      },
    }),
  };
  const models = new ModelCalls({
    setting,
    journal,
    ledger,
    redaction,
    models: new ModelChain(model, [], new Cooldowns(clock, 1_000)),
    last: { round: undefined, calling: undefined },
    onFailure: () => {},
  });
  await models.begin(create(ModelRequestSchema, { requestId: 'q' }), listener, never);
  clearInterval(others);
  await sleep(0);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024 + 1_024);
  expect(turns.size).toBeGreaterThan(3);
});

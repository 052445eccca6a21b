import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { callWith, clientFor, failureOf } from './testing/model-fixtures.ts';
import { WIRE_CASES, type Wire, wireCase } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(reply: ScriptedReply): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer([reply]);
  return server;
}

/** Wires that report the input before the answer starts. */
const TELLING: readonly Wire[] = ['anthropic', 'google'];
const usage = { input: 100, output: 20, cached: 40 };
const text = ['a', 'b', 'c'];

describe.each(TELLING)('%s: what a failed call has cost', (wire) => {
  const afterChunks = wireCase(wire).chunksOfTwoDeltas;
  const told = { received: true, usage: { inputTokens: 100, cachedInputTokens: 40 } };

  it('is known of a stream that stalls [D2]', async () => {
    const at = await serve({ text, usage, stall: { afterChunks } });
    const failure = await failureOf(clientFor(wire, at, { idleMs: 200 }));
    expect(failure).toMatchObject({ code: 'timeout', retryable: true, details: { phase: 'idle', ...told } });
  });

  it('is known of a stream that breaks [D2]', async () => {
    const failure = await failureOf(clientFor(wire, await serve({ text, usage, cut: { afterChunks } })));
    expect(failure).toMatchObject({ code: 'server_error', retryable: true, details: told });
  });

  it('is known of a stream that ends with an error [D2]', async () => {
    const { body, code } = wireCase(wire).errorChunk;
    const at = await serve({ text, usage, errorEvent: { afterChunks, body } });
    expect(await failureOf(clientFor(wire, at))).toMatchObject({ code, details: told });
  });

  it('is known of a call that was cancelled [D2]', async () => {
    const at = await serve({ text, usage, stall: { afterChunks } });
    const abort = new AbortController();
    const reading = async (): Promise<void> => {
      for await (const _ of clientFor(wire, at).stream(callWith(), abort.signal)) abort.abort();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'cancelled', details: told });
  });
});

it('openai: is known of a response that failed [D2]', async () => {
  const body = {
    type: 'response.failed',
    sequence_number: 8,
    response: {
      error: { code: 'server_error', message: 'no' },
      usage: { input_tokens: 70, output_tokens: 9, output_tokens_details: { reasoning_tokens: 4 } },
    },
  };
  const at = await serve({ text, errorEvent: { afterChunks: 6, body } });
  expect((await failureOf(clientFor('openai', at))).details).toMatchObject({
    received: true,
    usage: { inputTokens: 70, outputTokens: 9, cachedInputTokens: 0, reasoningTokens: 4 },
  });
});

it.each(['openai-compatible', 'openrouter'] as const)(
  '%s: is told by an answer without a stop reason [D2]',
  async (wire) => {
    const failure = await failureOf(clientFor(wire, await serve({ text, usage, stopReason: null })));
    expect(failure.details).toMatchObject({
      received: true,
      usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
    });
  },
);

it.each(WIRE_CASES)('$wire: says nothing of it where nothing came [D2]', async ({ wire }) => {
  const failure = await failureOf(clientFor(wire, await serve({ error: { status: 500 } })));
  expect(failure.code).toBe('server_error');
  expect(failure.details).not.toHaveProperty('usage');
  expect(failure.details).not.toHaveProperty('received');
});

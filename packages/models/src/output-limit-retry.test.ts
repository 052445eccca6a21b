import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicError, openAIError, openRouterError } from './testing/error-replies/error-case.ts';
import { callWith, clientFor, failureOf, readAnswer } from './testing/model-fixtures.ts';
import { WIRE_CASES, type Wire } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer(replies);
  return server;
}

const INVALID = 'invalid_request_error';

describe('an output limit that its provider refuses', () => {
  it.each([
    [
      'anthropic',
      'max_tokens',
      anthropicError(
        400,
        INVALID,
        'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for x',
      ),
      8_192,
    ],
    [
      'openai-compatible',
      'max_tokens',
      openAIError(
        400,
        'max_tokens is too large: 64000. This model supports at most 16384 completion tokens.',
        INVALID,
        null,
      ),
      16_384,
    ],
    [
      'openai-compatible',
      'max_tokens',
      openAIError(
        400,
        "'max_tokens' is too large: 64000. This model's maximum context length is 8192 tokens and your request has 100 input tokens (64000 > 8192 - 100).",
        INVALID,
        null,
      ),
      8_092,
    ],
    [
      'anthropic',
      'max_tokens',
      anthropicError(
        400,
        INVALID,
        'input length and `max_tokens` exceed context limit: 188240 + 64000 > 200000',
      ),
      4_096,
    ],
    [
      'openrouter',
      'max_tokens',
      openRouterError(
        402,
        'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 5120.',
      ),
      5_120,
    ],
  ] as const)('is lowered once: %s %#', async (wire, field, error, smaller) => {
    const at = await serve({ error }, { text: 'done' });
    const answer = await readAnswer(clientFor(wire, at), callWith({ maxOutputTokens: 64_000 }));
    expect(answer.text).toBe('done');
    expect(at.requests.map(({ body }) => Reflect.get(Object(body), field))).toEqual([64_000, smaller]);
  });

  it('is not lowered twice, and not for other errors or small limits', async () => {
    const refusal = openAIError(400, 'max_tokens is too large', INVALID, null);
    const twice = await serve({ error: refusal }, { error: refusal }, { text: 'never' });
    const call = callWith({ maxOutputTokens: 64_000 });
    expect((await failureOf(clientFor('openai-compatible', twice), undefined, call)).code).toBe(
      'format_error',
    );
    expect(twice.requests).toHaveLength(2);
    await twice.close();
    const other = await serve({ error: openAIError(400, 'unknown field "tools"', INVALID, null) });
    await failureOf(clientFor('openai-compatible', other), undefined, call);
    expect(other.requests).toHaveLength(1);
    await other.close();
    const small = await serve({ error: refusal });
    await failureOf(clientFor('openai-compatible', small), undefined, callWith({ maxOutputTokens: 1_000 }));
    expect(small.requests).toHaveLength(1);
  });

  it('stays lowered for later requests where it is the model’s own', async () => {
    const own = anthropicError(
      400,
      INVALID,
      'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for x',
    );
    const at = await serve({ error: own }, { text: 'one' }, { text: 'two' });
    const client = clientFor('anthropic', at);
    for (const text of ['one', 'two']) {
      expect((await readAnswer(client, callWith({ maxOutputTokens: 64_000 }))).text).toBe(text);
    }
    expect(at.requests.map(({ body }) => Reflect.get(Object(body), 'max_tokens'))).toEqual([
      64_000, 8_192, 8_192,
    ]);
  });

  it('is left out where none is known, and sent where a server asks for one', async () => {
    const missing = openAIError(400, 'max_tokens: field required', INVALID, null);
    const at = await serve({ text: 'one' }, { error: missing }, { text: 'two' });
    const client = clientFor('openai-compatible', at);
    const call = callWith({ maxOutputTokens: undefined });
    expect((await readAnswer(client, call)).text).toBe('one');
    expect((await readAnswer(client, call)).text).toBe('two');
    const sent = at.requests.map(({ body }) => Reflect.get(Object(body), 'max_tokens'));
    expect(sent).toEqual([undefined, undefined, 32_768]);
  });
});

describe('a call that the output limit cut', () => {
  it.each(
    WIRE_CASES.filter(({ textArguments }) => textArguments).map(
      ({ wire, stop }) => [wire, stop.length] as const,
    ),
  )('over %s keeps the arguments that arrived [L6]', async (wire: Wire, length: string) => {
    const part = '{"path":"a.txt","content":"the beginning of a long fi';
    const at = await serve({ toolCalls: [{ name: 'write', rawArgs: part }], stopReason: length });
    const { finish } = await readAnswer(clientFor(wire, at));
    expect(finish.message.parts.map(({ part: { value } }) => value)).toMatchObject([
      { name: 'write', argumentsJson: part },
    ]);
  });
});

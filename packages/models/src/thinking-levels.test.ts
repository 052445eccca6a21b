import { type ScriptedModelServer, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from './model-settings.ts';
import { callWith, clientFor, readAnswer } from './testing/model-fixtures.ts';
import { THINKING_CASES } from './testing/thinking-cases.ts';
import { WIRE_CASES, type Wire } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The request to a model with the given settings. */
async function requestOf(
  wire: Wire,
  settings: Partial<ModelSettings>,
  maxOutputTokens = 10_000,
): Promise<{
  readonly body: unknown;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const at = await startScriptedModelServer([{ text: 'ok' }]);
  server = at;
  await readAnswer(clientFor(wire, at, {}, settings), callWith({ maxOutputTokens }));
  const request = at.requests[0];
  return { body: request?.body, text: request?.bodyText ?? '', headers: request?.headers ?? {} };
}

describe('thinking', () => {
  it.each(THINKING_CASES)('$wire/$model: $level [D1]', async ({ wire, model, level, expected }) => {
    expect((await requestOf(wire, { model, thinking: level })).body).toMatchObject(expected);
  });

  it.each(WIRE_CASES)('$wire: nothing is said of it if nothing is set', async ({ wire }) => {
    const { text } = await requestOf(wire, {});
    expect(text).not.toMatch(/think|reasoning/i);
  });

  it('openai-compatible never receives "off": many servers refuse unknown values', async () => {
    expect((await requestOf('openai-compatible', { thinking: 'off' })).text).not.toMatch(/think|reasoning/i);
  });

  it.each([1024, 2047])('anthropic has no budget within %i tokens', async (limit) => {
    const { body } = await requestOf('anthropic', { model: 'claude-haiku-4-5', thinking: 'high' }, limit);
    expect(body).toMatchObject({ max_tokens: limit });
    expect(body).not.toHaveProperty('thinking');
  });

  it('anthropic leaves room for an answer with the smallest limit that holds a budget', async () => {
    const { body } = await requestOf('anthropic', { model: 'claude-haiku-4-5', thinking: 'low' }, 2048);
    expect(body).toMatchObject({ max_tokens: 2048, thinking: { budget_tokens: 1024 } });
  });

  it('anthropic drops thinking whose conversation has changed, where the model would refuse it', async () => {
    const { body, headers } = await requestOf('anthropic', { model: 'claude-sonnet-5-5' });
    expect(body).toMatchObject({
      thinking: { block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    });
    expect(headers['anthropic-beta']).toContain('thinking-binding-controls');
  });
});

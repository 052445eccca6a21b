import type { RecordedRequest, ScriptedReply, ScriptHandler } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { openAiDoor } from './support/openai-door.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useStage } from './support/use-stage.ts';
import { offeredTools, sentMessages } from './support/wire-history.ts';

const stage = useStage();

const USER = [{ role: 'user', content: 'hello' }] as const;

async function answering(script: ScriptHandler) {
  const server = await stage().model(script, { models: OFFLINE_TITLES });
  return { server, door: await openAiDoor(stage()) };
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

/** Asks for the weather once, then says what it was told. */
function weatherModel(calls: readonly string[] = ['Oslo']): ScriptHandler {
  return (request): ScriptedReply => {
    const results = sentMessages(request).flatMap((message) => message.results);
    if (results.length > 0) return { text: `told: ${results.map(({ text }) => text).join(', ')}` };
    return {
      text: 'Let me look.',
      toolCalls: calls.map((city) => ({ name: 'client_get_weather', args: { city } })),
    };
  };
}

describe('chat completions, with the official client', () => {
  it('answers at once, with usage [I4]', async () => {
    const { door } = await answering(() => ({
      text: 'good day',
      usage: { input: 12, output: 3, cached: 4 },
    }));
    const completion = await door
      .client()
      .chat.completions.create({ model: 'bulkhead', messages: [...USER] });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'openai-compatible/m',
      choices: [{ index: 0, message: { role: 'assistant', content: 'good day' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 3,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
      },
    });
  });

  it('answers piece by piece, and ends with the usage where it is asked for [I4]', async () => {
    const { door } = await answering(() => ({ text: ['good ', 'day'], usage: { input: 12, output: 3 } }));
    const stream = await door.client().chat.completions.create({
      model: 'openai-compatible/m',
      messages: [...USER],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).toBe('good day');
    expect(
      chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason: reason }) => reason ?? [])),
    ).toEqual(['stop']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } });
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  });

  it('hands calls of tools out, and the same run goes on with their results [I4]', async () => {
    const { server, door } = await answering(weatherModel(['Oslo', 'Rome']));
    const client = door.client();
    const first = await client.chat.completions.create({
      model: 'bulkhead',
      messages: [...USER],
      tools: [weather],
    });
    const [choice] = first.choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Let me look.' } });
    const calls = choice?.message.tool_calls ?? [];
    expect(
      calls.map((call) => call.type === 'function' && [call.function.name, call.function.arguments]),
    ).toEqual([
      ['get_weather', '{"city":"Oslo"}'],
      ['get_weather', '{"city":"Rome"}'],
    ]);
    const results = calls.map(({ id }, at) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: at === 0 ? 'rain' : 'sun',
    }));
    const messages = [...USER, ...(choice === undefined ? [] : [choice.message]), ...results];
    const second = await client.chat.completions.create({ model: 'bulkhead', messages, tools: [weather] });
    expect(second.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'told: rain, sun' },
    });
    expect(server.requests).toHaveLength(2);
    expect(offeredTools(server.requests[0] as RecordedRequest)).toContain('client_get_weather');
  });
});

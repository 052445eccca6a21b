import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { allOf } from './support/all-of.ts';
import { openAiDoor } from './support/openai-door.ts';
import { WEATHER, weatherModel } from './support/openai-models.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

const tools: NonNullable<LanguageModelV4CallOptions['tools']> = [
  {
    type: 'function',
    name: WEATHER.function.name,
    description: WEATHER.function.description,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

const START: LanguageModelV4Prompt = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'hello' }] },
];

/** All that one answer holds, in short; streamed or not. */
async function answerOf(model: LanguageModelV4, prompt: LanguageModelV4Prompt, streamed: boolean) {
  if (!streamed) {
    const { content, finishReason, usage } = await model.doGenerate({ prompt, tools });
    const calls = content.filter((part) => part.type === 'tool-call');
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { text, calls, finish: finishReason.unified, output: usage.outputTokens.total };
  }
  const { stream } = await model.doStream({ prompt, tools });
  const parts = await allOf(stream);
  const finish = parts.find((part) => part.type === 'finish');
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    calls: parts.filter((part) => part.type === 'tool-call'),
    finish: finish?.finishReason.unified,
    output: finish?.usage.outputTokens.total,
  };
}

describe('a client of other people', () => {
  const models = {
    'chat completions': (baseURL: string, apiKey: string) =>
      createOpenAICompatible({ name: 'bulkhead', baseURL, apiKey, includeUsage: true }).chatModel('bulkhead'),
    responses: (baseURL: string, apiKey: string) => createOpenAI({ baseURL, apiKey }).responses('bulkhead'),
  };

  it.each([
    ['chat completions', true],
    ['chat completions', false],
    ['responses', true],
    ['responses', false],
  ] as const)('has its tools called, by %s, streamed %s [I4]', async (api, streamed) => {
    const server = await stage().model(weatherModel('Oslo'), { models: OFFLINE_TITLES });
    const { address, owner } = await openAiDoor(stage());
    const model = models[api](`${address}/v1`, owner);
    const first = await answerOf(model, START, streamed);
    expect(first).toMatchObject({ text: 'Let me look.', finish: 'tool-calls' });
    expect(first.calls).toMatchObject([{ toolName: 'get_weather', input: '{"city":"Oslo"}' }]);
    const prompt: LanguageModelV4Prompt = [
      ...START,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: first.text },
          ...first.calls.map(({ toolCallId, toolName }) => ({
            type: 'tool-call' as const,
            toolCallId,
            toolName,
            input: { city: 'Oslo' },
          })),
        ],
      },
      {
        role: 'tool',
        content: first.calls.map(({ toolCallId, toolName }) => ({
          type: 'tool-result' as const,
          toolCallId,
          toolName,
          output: { type: 'text' as const, value: 'rain' },
        })),
      },
    ];
    const second = await answerOf(model, prompt, streamed);
    expect(second).toMatchObject({ text: 'told: rain', finish: 'stop', calls: [] });
    expect(second.output).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(2);
  });
});

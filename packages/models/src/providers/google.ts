import { createGoogle } from '@ai-sdk/google';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { EventUsage } from '@bulkhead/protocol';
import { fieldsOf, numberField } from '../errors/error-fields.ts';
import type { ProviderAdapter, RequestWishes } from '../provider-adapter.ts';
import { thinkingBudget, toReasoning } from '../thinking.ts';

/** https://ai.google.dev/gemini-api/docs/thinking: limits that every 2.5 model takes. */
const SMALLEST_BUDGET = 512;
const LARGEST_BUDGET = 24_576;

/** Google's Gemini API (`streamGenerateContent`). */
export const googleAdapter: ProviderAdapter = {
  metadataKey: 'google',
  callArguments: 'object',
  callIds: 'any',
  streamType: 'event-stream',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch })(model),
  prepare: prepareGoogleThinking,
  usageOf: googleUsage,
};

/**
 * Levels for Gemini 3 and later; for 2.5 a budget within the call's output limit, which thoughts
 * count against.
 */
function prepareGoogleThinking(
  options: LanguageModelV4CallOptions,
  { model, thinking }: RequestWishes,
): LanguageModelV4CallOptions {
  if (thinking === undefined) return options;
  const reasoned = { ...options, reasoning: toReasoning(thinking) };
  if (thinking === 'off') return reasoned;
  const budget = thinkingBudget(thinking, options.maxOutputTokens ?? LARGEST_BUDGET);
  const thinkingConfig = {
    includeThoughts: true,
    ...(model.includes('gemini-2.5')
      ? { thinkingBudget: Math.min(LARGEST_BUDGET, Math.max(SMALLEST_BUDGET, budget)) }
      : {}),
  };
  return { ...reasoned, providerOptions: { google: { thinkingConfig } } };
}

/** Every chunk reports the tokens so far; thoughts are separate from the candidates. */
function googleUsage(chunk: unknown): Partial<EventUsage> | undefined {
  const usage = fieldsOf(chunk)['usageMetadata'];
  const input = numberField(usage, 'promptTokenCount');
  if (input === undefined) return undefined;
  const thoughts = numberField(usage, 'thoughtsTokenCount') ?? 0;
  return {
    inputTokens: input + (numberField(usage, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: (numberField(usage, 'candidatesTokenCount') ?? 0) + thoughts,
    cachedInputTokens: numberField(usage, 'cachedContentTokenCount') ?? 0,
    reasoningTokens: thoughts,
  };
}

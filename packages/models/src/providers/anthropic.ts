import { createAnthropic } from '@ai-sdk/anthropic';
import type { EventUsage } from '@bulkhead/protocol';
import { fieldsOf, numberField } from '../errors/error-fields.ts';
import type { ProviderAdapter } from '../provider-adapter.ts';
import { prepareAnthropicThinking } from './anthropic-thinking.ts';

/**
 * Anthropic's Messages API. Base URL and key are always given, since the package would otherwise
 * look into the process's environment.
 */
export const anthropicAdapter: ProviderAdapter = {
  metadataKey: 'anthropic',
  callArguments: 'object',
  callIds: 'plain',
  streamType: 'event-stream',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).messages(model),
  cachePoint: (message) => ({
    ...message,
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  }),
  prepare: prepareAnthropicThinking,
  usageOf: anthropicUsage,
};

/**
 * `message_start` reports the input, `message_delta` the output so far; cached input is separate.
 */
function anthropicUsage(chunk: unknown): Partial<EventUsage> | undefined {
  const { type, message, usage } = fieldsOf(chunk);
  if (type === 'message_delta') {
    const outputTokens = numberField(usage, 'output_tokens');
    return outputTokens === undefined ? undefined : { outputTokens };
  }
  const start = fieldsOf(message)['usage'];
  const input = numberField(start, 'input_tokens');
  if (type !== 'message_start' || input === undefined) return undefined;
  const cached = numberField(start, 'cache_read_input_tokens') ?? 0;
  const written = numberField(start, 'cache_creation_input_tokens') ?? 0;
  return {
    inputTokens: input + cached + written,
    cachedInputTokens: cached,
    outputTokens: numberField(start, 'output_tokens') ?? 0,
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
  };
}

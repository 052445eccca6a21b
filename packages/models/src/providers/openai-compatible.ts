import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderAdapter } from '../provider-adapter.ts';

const NAME = 'openai-compatible';

/** Any server that speaks OpenAI chat completions. */
export const openAICompatibleAdapter: ProviderAdapter = {
  metadataKey: NAME,
  callArguments: 'json-text',
  callIds: 'any',
  streamType: 'event-stream',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAICompatible({
      name: NAME,
      baseURL: baseUrl,
      includeUsage: true,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(model),
  /** `off` is not sent: many of these servers refuse unknown fields. */
  prepare: (options, { thinking }) =>
    thinking === undefined || thinking === 'off' ? options : { ...options, reasoning: thinking },
};

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderAdapter } from '../provider-adapter.ts';

const NAME = 'openai-compatible';

/** Any server that speaks OpenAI chat completions. */
export const openAICompatibleAdapter: ProviderAdapter = {
  metadataKey: NAME,
  callArguments: 'json-text',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAICompatible({
      name: NAME,
      baseURL: baseUrl,
      includeUsage: true,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(model),
};

import { createOpenAI } from '@ai-sdk/openai';
import type { ProviderAdapter } from '../provider-adapter.ts';
import { toReasoning } from '../thinking.ts';

/**
 * OpenAI's Responses API. Nothing is stored there: a model's reasoning comes back encrypted and is
 * sent again. A model asked to think is treated as one that can, known to the package or not.
 */
export const openAIAdapter: ProviderAdapter = {
  metadataKey: 'openai',
  callArguments: 'json-text',
  callIds: 'plain',
  streamType: 'event-stream',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).responses(model),
  prepare: (options, { thinking, cacheKey }) => {
    const isWanted = thinking !== undefined && thinking !== 'off';
    return {
      ...options,
      ...(thinking === undefined ? {} : { reasoning: toReasoning(thinking) }),
      providerOptions: {
        openai: {
          store: false,
          ...(isWanted ? { forceReasoning: true } : {}),
          ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey }),
        },
      },
    };
  },
};

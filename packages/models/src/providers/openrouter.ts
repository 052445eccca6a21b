import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ProviderAdapter } from '../provider-adapter.ts';
import { toReasoning } from '../thinking.ts';
import { openRouterCachePoint } from './openrouter-cache-point.ts';
import { collectReasoningDetails, OPENROUTER } from './reasoning-details.ts';
import { returnReasoningDetails } from './return-reasoning-details.ts';

/**
 * OpenRouter: chat completions, with its own form for requesting and returning thinking.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export const openRouterAdapter: ProviderAdapter = {
  metadataKey: OPENROUTER,
  callArguments: 'json-text',
  callIds: 'any',
  streamType: 'event-stream',
  keepsFinishMetadata: true,
  cachePoint: openRouterCachePoint,
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createOpenAICompatible({
      name: OPENROUTER,
      baseURL: baseUrl,
      includeUsage: true,
      headers: { 'X-Title': 'Bulkhead' },
      metadataExtractor: collectReasoningDetails,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(model),
  prepare: (options, { thinking }) => ({
    ...options,
    prompt: returnReasoningDetails(options.prompt),
    ...(thinking === undefined
      ? {}
      : { providerOptions: { [OPENROUTER]: { reasoning: { effort: toReasoning(thinking) } } } }),
  }),
};

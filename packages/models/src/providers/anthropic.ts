import { createAnthropic } from '@ai-sdk/anthropic';
import type { ProviderAdapter } from '../provider-adapter.ts';

/**
 * Anthropic's Messages API. Base URL and key are always given, since the package would otherwise look
 * into the process's environment.
 */
export const anthropicAdapter: ProviderAdapter = {
  metadataKey: 'anthropic',
  callArguments: 'object',
  createLanguageModel: ({ model, baseUrl, apiKey, fetch }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).messages(model),
};

import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { ModelPrice } from '@bulkhead/protocol';
import type { ProviderConnection } from '../provider-adapter.ts';

/** The purpose of an embedding: some models embed questions and documents differently. */
export type EmbeddingPurpose = 'document' | 'query';

/** Connection data for a provider's embedding models. */
export interface EmbeddingProvider {
  /** Most texts of one request. */
  readonly mostTexts: number;
  create(connection: ProviderConnection): EmbeddingModelV4;
  /** Options of this provider only. */
  options?(
    purpose: EmbeddingPurpose,
  ): NonNullable<Parameters<EmbeddingModelV4['doEmbed']>[0]['providerOptions']>;
}

/** Providers that have embedding models; each package is loaded before its first call. */
export const EMBEDDING_PROVIDERS: Readonly<Record<string, () => Promise<EmbeddingProvider>>> = {
  openai: async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return {
      mostTexts: 256,
      create: ({ model, baseUrl, apiKey, fetch }) =>
        createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).embeddingModel(model),
    };
  },
  google: async () => {
    const { createGoogle } = await import('@ai-sdk/google');
    return {
      mostTexts: 100,
      create: ({ model, baseUrl, apiKey, fetch }) =>
        createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch }).embeddingModel(model),
      options: (purpose) => ({
        google: { taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' },
      }),
    };
  },
  ollama: async () => {
    const { createOllamaEmbeddings } = await import('./ollama-embeddings.ts');
    return { mostTexts: 64, create: createOllamaEmbeddings };
  },
  openrouter: () => compatible('openrouter'),
  'openai-compatible': () => compatible('openai-compatible'),
};

async function compatible(name: string): Promise<EmbeddingProvider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return {
    mostTexts: 64,
    create: ({ model, baseUrl, apiKey, fetch }) =>
      createOpenAICompatible({
        name,
        baseURL: baseUrl,
        fetch,
        ...(apiKey === undefined ? {} : { apiKey }),
      }).embeddingModel(model),
  };
}

/**
 * US dollars per million tokens of embedding models, which have no output and no cache. OpenAI's by
 * its model pages, Google's by its announcement; read November 2026. Uncertain prices are left out.
 */
const PRICES: Readonly<Record<string, number>> = {
  'openai/text-embedding-3-large': 0.13,
  'openai/text-embedding-3-small': 0.02,
  'google/gemini-embedding-001': 0.15,
};

/** @param name `provider/model` */
export function embeddingPrice(name: string): ModelPrice | undefined {
  const input = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  return input === undefined ? undefined : { input, output: 0, cachedInput: input };
}

import type { EmbeddingModelV4 } from '@ai-sdk/provider';
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

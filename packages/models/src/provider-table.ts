import type { ProviderAdapter } from './provider-adapter.ts';
import { OFFLINE_PROVIDER } from './provider-names.ts';

/** What must be known of a provider before its package is loaded. */
export interface ProviderEntry {
  /** Variable or secret that holds the key. */
  readonly keyName: string;
  /** `none`: the usual variable isn't looked at; a key is sent only if the settings name one. */
  readonly key: 'required' | 'optional' | 'none';
  /** Undefined: settings must say it. */
  readonly baseUrl: string | undefined;
  /** Tokens. */
  readonly contextWindow: number;
  /** Loads the provider package, so that nothing of it is in memory before the first call. */
  load(): Promise<ProviderAdapter>;
}

/** The one place that lists providers: a new one is a line here, and a file in `providers/` if its wire is new. */
export const PROVIDER_TABLE: Readonly<Record<string, ProviderEntry>> = {
  anthropic: {
    keyName: 'ANTHROPIC_API_KEY',
    key: 'required',
    baseUrl: 'https://api.anthropic.com/v1',
    contextWindow: 200_000,
    load: async () => (await import('./providers/anthropic.ts')).anthropicAdapter,
  },
  openai: {
    keyName: 'OPENAI_API_KEY',
    key: 'required',
    baseUrl: 'https://api.openai.com/v1',
    contextWindow: 272_000,
    load: async () => (await import('./providers/openai.ts')).openAIAdapter,
  },
  google: {
    keyName: 'GEMINI_API_KEY',
    key: 'required',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    contextWindow: 1_000_000,
    load: async () => (await import('./providers/google.ts')).googleAdapter,
  },
  openrouter: {
    keyName: 'OPENROUTER_API_KEY',
    key: 'required',
    baseUrl: 'https://openrouter.ai/api/v1',
    contextWindow: 128_000,
    load: async () => (await import('./providers/openrouter.ts')).openRouterAdapter,
  },
  ollama: {
    keyName: 'OLLAMA_API_KEY',
    key: 'none',
    baseUrl: 'http://127.0.0.1:11434',
    contextWindow: 32_768,
    load: async () => (await import('./providers/ollama.ts')).ollamaAdapter,
  },
  'openai-compatible': {
    keyName: 'OPENAI_API_KEY',
    key: 'optional',
    baseUrl: undefined,
    contextWindow: 128_000,
    load: async () => (await import('./providers/openai-compatible.ts')).openAICompatibleAdapter,
  },
};

/** Every provider `createModelClient` takes. */
export const KNOWN_PROVIDERS: readonly string[] = [...Object.keys(PROVIDER_TABLE), OFFLINE_PROVIDER];

import { LARGE_ANSWER } from './catalogue/output-limit.ts';
import type { ProviderAdapter } from './provider-adapter.ts';
import { OFFLINE_PROVIDER } from './provider-names.ts';

/** Facts about a provider needed before its package is loaded. */
export interface ProviderEntry {
  /** Variable or secret that holds the key. */
  readonly keyName: string;
  /** `none`: the usual variable is ignored; a key is sent only if the settings name one. */
  readonly key: 'required' | 'optional' | 'none';
  /** Undefined: the settings must supply it. */
  readonly baseUrl: string | undefined;
  /** Tokens. */
  readonly contextWindow: number;
  /** Most tokens of an answer of a model that is not known, where each request must state a limit. */
  readonly assumedOutputLimit?: number;
  /** Loads the provider package, so that it uses no memory before the first call. */
  load(): Promise<ProviderAdapter>;
}

/**
 * The only list of providers: add new ones here, with a file in `providers/` if the wire is new.
 */
export const PROVIDER_TABLE: Readonly<Record<string, ProviderEntry>> = {
  anthropic: {
    keyName: 'ANTHROPIC_API_KEY',
    key: 'required',
    baseUrl: 'https://api.anthropic.com/v1',
    contextWindow: 200_000,
    assumedOutputLimit: LARGE_ANSWER,
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

/** Every provider that `createModelClient` accepts. */
export const KNOWN_PROVIDERS: readonly string[] = [...Object.keys(PROVIDER_TABLE), OFFLINE_PROVIDER];

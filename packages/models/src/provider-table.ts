import type { ProviderAdapter } from './provider-adapter.ts';
import { OFFLINE_PROVIDER } from './provider-names.ts';

/** What must be known of a provider before its package is loaded. */
export interface ProviderEntry {
  /** Variable or secret that holds the key. */
  readonly keyName: string;
  readonly keyRequired: boolean;
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
    keyRequired: true,
    baseUrl: 'https://api.anthropic.com/v1',
    contextWindow: 200_000,
    load: async () => (await import('./providers/anthropic.ts')).anthropicAdapter,
  },
  'openai-compatible': {
    keyName: 'OPENAI_API_KEY',
    keyRequired: false,
    baseUrl: undefined,
    contextWindow: 128_000,
    load: async () => (await import('./providers/openai-compatible.ts')).openAICompatibleAdapter,
  },
};

/** Every provider `createModelClient` takes. */
export const KNOWN_PROVIDERS: readonly string[] = [...Object.keys(PROVIDER_TABLE), OFFLINE_PROVIDER];

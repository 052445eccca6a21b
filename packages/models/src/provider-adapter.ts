import type { LanguageModelV4 } from '@ai-sdk/provider';

/** How a provider's model is reached. */
interface ProviderConnection {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined if the server wants none. */
  readonly apiKey: string | undefined;
  /** The only way to the network: never follows a redirect and never leaves the host. */
  readonly fetch: typeof globalThis.fetch;
}

/** What a file in `providers/` exports: the bridge to one AI SDK provider package. */
export interface ProviderAdapter {
  /** Key under which the package keeps the data it wants back in the next request. */
  readonly metadataKey: string;
  /** Form in which the package takes the arguments of earlier calls. */
  readonly callArguments: 'json-text' | 'object';
  createLanguageModel(connection: ProviderConnection): LanguageModelV4;
}

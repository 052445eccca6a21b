import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { EventUsage } from '@bulkhead/protocol';
import type { ThinkingLevel } from './thinking.ts';

/** How a provider's model is reached. */
export interface ProviderConnection {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined if the server wants none. */
  readonly apiKey: string | undefined;
  /** Tokens. */
  readonly contextWindow: number;
  /** The only way to the network: never follows a redirect and never leaves the host. */
  readonly fetch: typeof globalThis.fetch;
}

/** What the settings ask of a model beyond the request itself. */
export interface RequestWishes {
  readonly model: string;
  /** Undefined: as the provider has it. */
  readonly thinking: ThinkingLevel | undefined;
  /** The same for requests that begin alike; undefined if that isn't known. */
  readonly cacheKey?: string | undefined;
}

/** What a file in `providers/` exports: the bridge to one provider's wire. */
export interface ProviderAdapter {
  /** Key under which the package keeps the data it wants back in the next request. */
  readonly metadataKey: string;
  /** Form in which the package takes the arguments of earlier calls. */
  readonly callArguments: 'json-text' | 'object';
  /** Ids of calls the provider takes: `plain` is up to 64 letters, digits, `_` and `-`. */
  readonly callIds: 'any' | 'plain';
  /** What the content type of a streamed answer holds. */
  readonly streamType: 'event-stream' | 'ndjson';
  /** True if what the package reports at the end of an answer is to come back with it. */
  readonly keepsFinishMetadata?: boolean;
  /**
   * The same message with a cache point behind it: what is sent up to there is cached, and found again by its bytes. Absent
   * where the provider finds the longest known beginning by itself.
   */
  cachePoint?(message: LanguageModelV4Message, wishes: RequestWishes): LanguageModelV4Message;
  createLanguageModel(connection: ProviderConnection): LanguageModelV4;
  /** The request in the provider's own form: thinking and options that only it has. */
  prepare(options: LanguageModelV4CallOptions, wishes: RequestWishes): LanguageModelV4CallOptions;
  /**
   * What one chunk of the stream, as parsed JSON, says of the tokens so far; undefined if nothing. Only where a provider
   * tells before the end: looking at every chunk costs time.
   */
  usageOf?(chunk: unknown): Partial<EventUsage> | undefined;
}

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import type { EventUsage } from '@bulkhead/protocol';
import type { ThinkingLevel } from './thinking.ts';

/** Connection data for a provider's model. */
export interface ProviderConnection {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined if the server needs none. */
  readonly apiKey: string | undefined;
  /** Tokens. */
  readonly contextWindow: number;
  /** The only way to the network: never follows a redirect and never leaves the host. */
  readonly fetch: typeof globalThis.fetch;
}

/** Settings of a model beyond the request itself. */
export interface RequestWishes {
  readonly model: string;
  /** Undefined: the provider's default. */
  readonly thinking: ThinkingLevel | undefined;
  /** Equal for requests with the same beginning; undefined if unknown. */
  readonly cacheKey?: string | undefined;
}

/** The bridge to one provider's wire, exported by a file in `providers/`. */
export interface ProviderAdapter {
  /** Key under which the package keeps the data it wants back in the next request. */
  readonly metadataKey: string;
  /** Form in which the package takes the arguments of earlier calls. */
  readonly callArguments: 'json-text' | 'object';
  /** Ids of calls the provider takes: `plain` is up to 64 letters, digits, `_` and `-`. */
  readonly callIds: 'any' | 'plain';
  /** Part of the content type of a streamed answer. */
  readonly streamType: 'event-stream' | 'ndjson';
  /** True if the package's data at the end of an answer must be sent back with it. */
  readonly keepsFinishMetadata?: boolean;
  /**
   * The same message with a cache point after it: the request up to there is cached, and found
   * again by its bytes. Absent if the provider finds the longest known prefix automatically.
   */
  cachePoint?(message: LanguageModelV4Message, wishes: RequestWishes): LanguageModelV4Message;
  createLanguageModel(connection: ProviderConnection): LanguageModelV4;
  /** The request in the provider's own form: with thinking and its own options. */
  prepare(options: LanguageModelV4CallOptions, wishes: RequestWishes): LanguageModelV4CallOptions;
  /**
   * The tokens so far according to one chunk of the stream, as parsed JSON; undefined if it has
   * none. Only for providers that report before the end: looking at every chunk costs time.
   */
  usageOf?(chunk: unknown): Partial<EventUsage> | undefined;
}

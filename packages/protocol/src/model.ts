import type {
  AssistantMessage,
  Message,
  StopReason,
  ToolDefinition,
  Usage,
} from './gen/bulkhead/chat/v1/chat_pb.ts';

/** One request to a model, free of any provider's shape. */
export interface ModelCall {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** True: the model must answer without calls even if tools are listed. */
  readonly forbidTools: boolean;
  /** Most tokens of the answer; undefined: the server's own rule holds. */
  readonly maxOutputTokens: number | undefined;
  /** Shown to the model after everything else, behind the cache point: may differ in each call. */
  readonly tail?: string;
  /**
   * Equal for calls with the same beginning, that is of one session. A provider may route them to
   * its cache.
   */
  readonly cacheKey?: string;
}

/**
 * Content of a model stream: any number of deltas, then exactly one `finish`. Failures are thrown.
 */
export type ModelStreamEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'finish';
      /** The whole answer, calls included, in order. */
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage;
    };

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input read from the provider's cache. */
  readonly cachedInput: number;
  /** Input written to the provider's cache; undefined if it costs the same as input. */
  readonly cacheWrite?: number;
}

export interface ModelClient {
  /** `provider/model`, for people and records. */
  readonly name: string;
  readonly contextWindow: number;
  /** Most tokens of one answer by the model's own rules; absent if unknown. */
  readonly maxOutputTokens?: number | undefined;
  /** Undefined if unknown: an unknown price is never free. */
  readonly price: ModelPrice | undefined;
  /**
   * @throws BulkheadError with a provider code; `details` keeps status, type and code as the
   *   server sent them, and `retryAfterMs` and `usage` (an `EventUsage`) if known
   */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
}

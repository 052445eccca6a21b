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
  /** True: the model must answer without calls though tools are listed. */
  readonly forbidTools: boolean;
  readonly maxOutputTokens: number;
  /** Shown to the model after everything else, behind the cache point: it may be another one in each call. */
  readonly tail?: string;
  /** The same for calls whose beginning is the same: of the session. A provider may send them to where it is cached. */
  readonly cacheKey?: string;
}

/** What a model stream yields: any number of deltas, then exactly one `finish`. Failures are thrown. */
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
  /** Input written to the provider's cache; undefined if that costs what input costs. */
  readonly cacheWrite?: number;
}

export interface ModelClient {
  /** `provider/model`, for people and records. */
  readonly name: string;
  readonly contextWindow: number;
  /** Undefined if it isn't known: absence is never free. */
  readonly price: ModelPrice | undefined;
  /**
   * @throws BulkheadError with a provider code; `details` keeps status, type and code as the server sent them, and
   *   `retryAfterMs` and `usage` (an `EventUsage`) where they are known
   */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
}

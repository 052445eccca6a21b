import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { BulkheadError, type EventUsage } from '@bulkhead/protocol';
import { toUsage } from './finish-fields.ts';
import type { ProviderAdapter } from './provider-adapter.ts';

/** Parts that start an answer. */
const CONTENT: ReadonlySet<string> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-input-start',
  'tool-call',
]);

const NOTHING: EventUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** The received part of an answer, in case the rest never arrives [D2]. */
export class AnswerReceipt {
  readonly #usageOf: ProviderAdapter['usageOf'];
  #usage: EventUsage | undefined;
  #received = false;

  constructor(usageOf: ProviderAdapter['usageOf']) {
    this.#usageOf = usageOf;
  }

  /** True once any part of the answer has arrived. */
  get received(): boolean {
    return this.#received;
  }

  add(part: LanguageModelV4StreamPart): void {
    if (CONTENT.has(part.type)) this.#received = true;
    else if (part.type === 'finish' && part.usage.inputTokens.total !== undefined) {
      const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cacheWriteTokens } = toUsage(
        part.usage,
      );
      const counted = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens };
      this.#usage = cacheWriteTokens === 0 ? counted : { ...counted, cacheWriteTokens };
    }
  }

  /** @param chunk one chunk of the stream as parsed JSON */
  count(chunk: unknown): void {
    const told = this.#usageOf?.(chunk);
    if (told !== undefined) this.#usage = { ...NOTHING, ...this.#usage, ...told };
  }

  /** The same error with the known `usage` and `received` added to its details. */
  attachTo(error: BulkheadError): BulkheadError {
    if (this.#usage === undefined && !this.#received) return error;
    const details = {
      ...error.details,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#received ? { received: true } : {}),
    };
    return new BulkheadError(error.code, error.message, {
      retryable: error.retryable,
      details,
      ...(error.fix === undefined ? {} : { fix: error.fix }),
      ...(error.cause === undefined ? {} : { cause: error.cause }),
    });
  }
}

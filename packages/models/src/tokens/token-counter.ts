import { Worker } from 'node:worker_threads';
import { BulkheadError } from '@bulkhead/protocol';

/** Time limit of a count, milliseconds. */
const MOST_MS = 20_000;
/** Most characters one count takes: more than any context window holds. */
const MOST_CHARACTERS = 32_000_000;

/** Counts tokens if no provider has counted them. */
export interface TokenCounter {
  /**
   * @returns the tokens of each text, in their order
   * @throws BulkheadError `timeout`, `usage` for too much text, `internal`; the signal's reason
   */
  count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
}

/**
 * @param program `tokens/main.ts`, or its bundle: each count runs in a thread of its own, which
 *   ends with it
 */
export function createTokenCounter(program: string): TokenCounter {
  return {
    count: async (texts, signal) => {
      signal?.throwIfAborted();
      if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_CHARACTERS) {
        throw new BulkheadError('usage', 'that is more text than a model can take: it was not counted');
      }
      const worker = new Worker(program, { workerData: texts, env: {}, stdin: false });
      const ended = Promise.withResolvers<readonly number[]>();
      worker.once('message', (counts: readonly number[]) => ended.resolve(counts));
      worker.once('error', (cause) =>
        ended.reject(new BulkheadError('internal', 'tokens could not be counted', { cause })),
      );
      worker.once('exit', () =>
        ended.reject(new BulkheadError('internal', 'the counting of tokens ended early')),
      );
      const timer = setTimeout(() => {
        ended.reject(new BulkheadError('timeout', `counting tokens took longer than ${MOST_MS / 1_000} s`));
      }, MOST_MS);
      const abort = (): void => ended.reject(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await ended.promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        await worker.terminate();
      }
    },
  };
}

/**
 * The vocabulary for counts that no provider supplied: OpenAI's of 2024 and later. Other providers'
 * counts differ by up to a fifth.
 */
export const VOCABULARY = 'o200k_base';

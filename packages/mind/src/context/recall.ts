import type { MemoryHit } from '@bulkhead/memory';

/** The memory found for one message. */
export interface Recollection {
  /** Nearest first; at most five [C3]. */
  readonly chunks: readonly MemoryHit[];
  /** Daily notes of three days, newest first; `YYYY-MM-DD`. */
  readonly notes: readonly { readonly date: string; readonly text: string }[];
  /** All of `MEMORY.md`, if it is so small that looking it up would save nothing: none of the chunks is of it then. */
  readonly whole?: string;
}

/**
 * Looks up the memory for a turn. Returned texts have already raised the session's label to theirs.
 */
export interface MemoryRecall {
  /**
   * @param question.message the person's words
   * @param question.now milliseconds since 1970
   * @throws BulkheadError if memory can't be read; then the turn goes on without
   */
  recall(question: {
    readonly sessionId: string;
    readonly message: string;
    readonly now: number;
  }): Promise<Recollection>;
}

/** Remembers nothing. */
export const noRecall: MemoryRecall = { recall: async () => ({ chunks: [], notes: [] }) };

import type { Message } from '@bulkhead/protocol/chat';

/** What a conversation is made shorter by. */
export interface CompactRequest {
  /** The messages to make shorter, in order, without the earlier summary. */
  readonly history: readonly Message[];
  /** What a person wants kept above all; may be empty. */
  readonly instructions: string;
  /** The summary of what came before `history`; empty for none. */
  readonly earlierSummary: string;
  /** Tokens that the messages kept as they are may have. */
  readonly keepTokens: number;
  /** Tokens of each message of `history`, as well as they are known; the messages may be cut. None: estimated. */
  readonly messageTokens: readonly number[];
  /** Words of the person that the run under way answers: carried word for word if they are not kept. */
  readonly ownMessages: readonly string[];
  /** Whether durable facts are wanted. */
  readonly facts: boolean;
  /** Most tokens of one request to the summarising model, and of one answer. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Rules the person pinned: sent again whatever the summary says, so it need not repeat them. */
  readonly pinned: readonly string[];
}

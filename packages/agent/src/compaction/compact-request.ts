import type { Message } from '@bulkhead/protocol/chat';

/** The input of a compaction. */
export interface CompactRequest {
  /** The messages to summarize, in order, without the earlier summary. */
  readonly history: readonly Message[];
  /** Topics that the person wants kept most; may be empty. */
  readonly instructions: string;
  /** The summary of the part before `history`; empty for none. */
  readonly earlierSummary: string;
  /** Limit of tokens for the messages kept unchanged. */
  readonly keepTokens: number;
  /**
   * Best known token counts for each message of `history`; the messages may be cut. None:
   * estimated.
   */
  readonly messageTokens: readonly number[];
  /** The person's words that the current run answers: quoted literally if they are not kept. */
  readonly ownMessages: readonly string[];
  /** True if durable facts are requested. */
  readonly facts: boolean;
  /** Limit of tokens for one request to the summarizing model, and of one answer. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /**
   * Rules that the person pinned: they are always sent again, so the summary need not repeat them.
   */
  readonly pinned: readonly string[];
}

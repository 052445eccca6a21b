import type { ModelChoice } from '@bulkhead/log/session/accepted-input';
import type { Entry } from '@bulkhead/sessions';

/** The replacement for the older part of a conversation. */
export interface Compaction {
  readonly summary: string;
  /** Words of the person that are being worked on and are shown no more, message by message. */
  readonly asked?: readonly string[];
  /** The first of the given entries that the model is still shown; null for none of them. */
  readonly keptFrom: string | null;
  /** True if no model wrote any of it. */
  readonly byRule?: boolean;
}

/** How a conversation is to be made shorter. */
export interface CompactionWishes {
  /** The person's instructions for the summary; may be empty. */
  readonly instructions: string;
  /** Tokens that the model of the conversation has for it, before an answer. */
  readonly budget: number;
  /** Share of the budget that is kept as it is; that of all models if not given. */
  readonly keep?: number;
  /** Tokens of the conversation by its provider's own count; 0 if it has given none. */
  readonly counted: number;
  /** The person's words that the run under way answers, in order; none without a run. */
  readonly ownMessages: readonly string[];
  /** The model of the conversation, for when compaction has none of its own. */
  readonly choice: ModelChoice;
}

/** Makes a conversation shorter for the model. Changes nothing: its result becomes an entry. */
export interface Compactor {
  readonly settings: CompactionSettings;
  /**
   * @param entries the conversation up to where it stands, oldest first
   * @returns undefined if there is nothing to gain
   */
  compact(
    sessionId: string,
    entries: readonly Entry[],
    wishes: CompactionWishes,
    signal: AbortSignal,
  ): Promise<Compaction | undefined>;
}

/** As configured; shares from 0 to 1. */
export interface CompactionSettings {
  readonly enabled: boolean;
  /** The share of the budget from which on a conversation is made shorter [K1]. */
  readonly at: number;
  /** The share of it that is kept as it is. */
  readonly keep: number;
  /** Models for which other shares hold; `provider/model`. */
  readonly models?: readonly {
    readonly model: string;
    readonly at?: number | undefined;
    readonly keep?: number | undefined;
  }[];
}

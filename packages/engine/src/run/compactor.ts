import type { Entry } from '@bulkhead/sessions';

/** What stands for the older part of a conversation. */
interface Compaction {
  readonly summary: string;
  /** The first of the given entries that the model is still shown; null for none of them. */
  readonly keptFrom: string | null;
}

/** Makes a conversation shorter for the model. It changes nothing by itself: what it gives becomes an entry. */
export interface Compactor {
  readonly name: string;
  /** What `status` reports. */
  readonly present: boolean;
  /**
   * @param entries the conversation up to where it stands, oldest first
   * @param instructions what to keep above all; may be empty
   * @returns undefined if there is nothing to gain
   */
  compact(
    sessionId: string,
    entries: readonly Entry[],
    instructions: string,
    signal: AbortSignal,
  ): Promise<Compaction | undefined>;
}

export const compactorNotPresent: Compactor = {
  name: 'compaction of long conversations',
  present: false,
  compact: async () => undefined,
};

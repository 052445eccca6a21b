import type { MemorySource } from '../memory-hit.ts';

/** Options of a search. */
export interface SearchOptions {
  /** Most hits. Default: 5. */
  readonly limit?: number;
  /** The current time, for phrases such as "last week". */
  readonly now: Date;
  /** Only texts of these sources. Default: all. */
  readonly sources?: readonly MemorySource[];
  /**
   * How long the query's vector may take, milliseconds; then words alone answer. Default: 2,000.
   */
  readonly vectorWithin?: number;
  readonly signal?: AbortSignal;
}

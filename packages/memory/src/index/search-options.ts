import type { MemorySource } from '../memory-hit.ts';

/** How a search answers. */
export interface SearchOptions {
  /** Most hits. Default: 5. */
  readonly limit?: number;
  /** What "last week" is said on. */
  readonly now: Date;
  /** Only texts of these. Default: of all. */
  readonly sources?: readonly MemorySource[];
  /** How long the query's vector may take, milliseconds; then words alone answer. Default: 2,000. */
  readonly vectorWithin?: number;
  readonly signal?: AbortSignal;
}

/**
 * Up to this many chunks, each is ranked, and has a vector even without a provider; a larger memory
 * first selects candidates.
 */
export const RANK_ALL = 2_000;

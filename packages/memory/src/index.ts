export type { MemoryHit, MemorySource } from './memory-hit.ts';
export type { Candidate, CorpusStats, Ranked } from './rank/candidate.ts';
export { rank } from './rank/rank.ts';
export { Ranker, type RankerOptions } from './rank/ranker.ts';
export { RANK_WEIGHTS, type RankWeights } from './rank/weights.ts';
export { terms } from './text/terms.ts';

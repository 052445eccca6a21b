export { chunkText } from './chunks/index.ts';
export { hidesCharacters, lineKey } from './files/line-text.ts';
export { MEMORY_TARGETS, type MemoryTarget, memoryPath } from './files/memory-path.ts';
export { planEdit, planRemoval } from './files/plan-edit.ts';
export {
  AUTO_HEADING,
  type MemoryNote,
  type PlannedNote,
  planNote,
  writePlanned,
} from './files/plan-write.ts';
export { type ProfileFile, ProfileFiles } from './files/profile-files.ts';
export { type DailyNote, recentNotes } from './files/recent-notes.ts';
export {
  type FileText,
  type GivenText,
  type IndexSize,
  type MemoryIndex,
  type MemoryIndexOptions,
  type MemoryNotice,
  type MemoryText,
  openMemoryIndex,
  type SearchOptions,
  type SyncOptions,
  type SyncReport,
} from './index/index.ts';
export type { MemoryHit, MemorySource } from './memory-hit.ts';
export type { Candidate, CorpusStats, Ranked } from './rank/candidate.ts';
export { rank } from './rank/rank.ts';
export { Ranker } from './rank/ranker.ts';
export { RANK_WEIGHTS, type RankWeights } from './rank/weights.ts';
export { Topic } from './text/shared-words.ts';
export { terms } from './text/terms.ts';
export { MemoryThread, type MemoryThreadOptions } from './thread/index.ts';
export type { Embedder } from './vectors/index.ts';

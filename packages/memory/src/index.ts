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
export { MemoryThread, type MemoryThreadOptions } from './thread/index.ts';
export type { Embedder } from './vectors/index.ts';

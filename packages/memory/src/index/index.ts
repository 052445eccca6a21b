export type { MemoryNotice } from '../notice.ts';
export {
  type IndexSize,
  type MemoryIndex,
  type MemoryIndexOptions,
  openMemoryIndex,
} from './memory-index.ts';
export type { FileText, GivenText, MemoryText } from './memory-text.ts';
export type { SearchOptions } from './search-options.ts';
export type { SyncOptions, SyncReport } from './sync-texts.ts';

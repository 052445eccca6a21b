export type { MemoryHit, MemorySource } from './memory-hit.ts';

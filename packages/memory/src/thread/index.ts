export { MemoryThread, type MemoryThreadOptions } from './memory-thread.ts';

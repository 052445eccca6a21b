import { BulkheadError } from '@bulkhead/protocol';
import type { IndexSize, SyncReport } from '../index/index.ts';
import type { MemoryHit } from '../memory-hit.ts';
import type { ThreadValue } from './thread-messages.ts';

/** Values of the thread, by the call they answer. @throws BulkheadError `internal` for what is no answer to it */
export function expectHits(value: ThreadValue): readonly MemoryHit[] {
  if (Array.isArray(value) && value.every(isHit)) return value;
  throw unexpected();
}

export function expectReport(value: ThreadValue): SyncReport {
  if (typeof value === 'object' && 'indexed' in value) return value;
  throw unexpected();
}

export function expectSize(value: ThreadValue): IndexSize {
  if (typeof value === 'object' && 'chunks' in value) return value;
  throw unexpected();
}

function isHit(value: MemoryHit | Float32Array): value is MemoryHit {
  return 'source' in value;
}

function unexpected(): BulkheadError {
  return new BulkheadError('internal', 'the thread of the memory index gave an answer to another question');
}

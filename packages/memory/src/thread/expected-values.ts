import { BulkheadError } from '@bulkhead/protocol';
import type { IndexSize, SyncReport } from '../index/index.ts';
import type { MemoryHit } from '../memory-hit.ts';
import type { ThreadValue } from './thread-messages.ts';

/**
 * Values from the thread, checked by the type of call. @throws BulkheadError `internal` for a value
 * of another type
 */
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

import { BulkheadError } from '@bulkhead/protocol';

/** What a sandbox without a launcher says of a folder that another engine left half changed. */
export function noRecovery(work: string): BulkheadError {
  return new BulkheadError('tool_failed', `${work} was left half changed, and nothing here can undo that`, {
    fix: 'Start Bulkhead with its sandbox once: it brings the folder in order',
    details: { work },
  });
}

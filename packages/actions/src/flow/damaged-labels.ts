import { BulkheadError } from '@bulkhead/protocol';

/** The error for a file of labels that can't be read. */
export function damagedLabels(path: string, why: string, cause?: unknown): BulkheadError {
  return new BulkheadError('store_corrupt', `the labels in ${path} can't be read: ${why}`, {
    cause,
    fix: 'Restore the file from a backup. If you move it away, what was labelled counts as unlabelled.',
  });
}

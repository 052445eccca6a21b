import { setImmediate } from 'node:timers/promises';
import { BulkheadError } from '@bulkhead/protocol';

/**
 * Lets the worker hear a cancellation between the pieces of long work.
 * @throws BulkheadError `cancelled`
 */
export async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  if (signal.aborted) throw new BulkheadError('cancelled', 'cancelled');
}

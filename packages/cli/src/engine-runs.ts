import { connectEngine } from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';

/** True in doubt: a useless hint is better than a missing one. */
export async function engineRuns(layout: HomeLayout): Promise<boolean> {
  try {
    using _client = await connectEngine(layout);
    return true;
  } catch (cause) {
    return !(BulkheadError.is(cause) && cause.code === 'not_running');
  }
}

import { connectEngine } from '@bulkhead/client';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';

/** When in doubt yes: then a hint is given in vain, and none is missing. */
export async function engineRuns(layout: HomeLayout): Promise<boolean> {
  try {
    using _client = await connectEngine(layout);
    return true;
  } catch (cause) {
    return !(BulkheadError.is(cause) && cause.code === 'not_running');
  }
}

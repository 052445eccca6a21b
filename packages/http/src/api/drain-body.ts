import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Timers } from '@bulkhead/protocol';

/** Who takes longer is answered without having been heard out, in milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Throws away what of a refused request is still on its way. An answer that goes out before is lost with many clients: the socket is reset under
 * what they still send.
 */
export async function drainBody(request: IncomingMessage, timers: Timers): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  using _timer = timers.after(PATIENCE_MS, resolve);
  request.resume();
  const gone = once(request, 'end').catch(() => undefined);
  await Promise.race([gone, once(request, 'close'), tooLong]);
}

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Timers } from '@bulkhead/protocol';

/** A slower client is answered before its whole request has arrived, in milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Discards the rest of a refused request that is still arriving. With many clients, an answer sent
 * before that is lost: the socket is reset while they still send.
 */
export async function drainBody(request: IncomingMessage, timers: Timers): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  using _timer = timers.after(PATIENCE_MS, resolve);
  request.resume();
  const gone = once(request, 'end').catch(() => undefined);
  await Promise.race([gone, once(request, 'close'), tooLong]);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { faultPoint } from '@bulkhead/protocol';
import { engineStops } from '@bulkhead/runtime/session/actor-errors';
import type { Sessions } from '@bulkhead/runtime/session/sessions';
import type { Logger } from 'pino';

/** Time for last messages to reach clients before the doors close, milliseconds. */
const LAST_WORDS_MS = 100;

/** The steps of an engine before it closes its resources. */
export interface OrderlyEnd {
  /**
   * Resolves when no work is under way, with the number of messages that the next engine continues.
   */
  readonly drained: Promise<number>;
  /**
   * Lets runs finish for `graceMs`, leaves the rest to the next engine, and tells clients to
   * reconnect to it.
   */
  drain(graceMs: number): Promise<void>;
}

/** Ends the work of an engine in an order in which clients see only stored events [P8]. */
export function orderlyEnd(
  {
    sessions,
    log,
  }: { readonly sessions: Pick<Sessions, 'drain'>; readonly log: Pick<SessionLog, 'endAllWatches'> },
  logger: Logger,
): OrderlyEnd {
  const { promise: drained, resolve } = Promise.withResolvers<number>();
  return {
    drained,
    async drain(graceMs) {
      logger.info('engine stopping');
      faultPoint('shutdown.begun');
      const unfinished = await sessions.drain(graceMs);
      logger.info({ unfinished }, 'nothing is under way any more');
      faultPoint('shutdown.drained');
      resolve(unfinished);
      log.endAllWatches(engineStops());
      await sleep(LAST_WORDS_MS);
    },
  };
}

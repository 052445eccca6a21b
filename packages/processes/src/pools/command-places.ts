import { BulkheadError, type Timers } from '@bulkhead/protocol';
import { FairPlaces } from './fair-places.ts';

/** A command may take up to its own limit, and the next one waits for it. */
const COMMAND_WAIT_MS = 900_000;

/** @param places commands that run at once */
export function commandPlaces(places: number, timers: Timers): FairPlaces {
  return new FairPlaces({
    places,
    timers,
    waitMs: COMMAND_WAIT_MS,
    full: (seconds) =>
      new BulkheadError('overloaded', `no command ended for ${seconds} s, and ${places} may run at once`, {
        retryable: true,
        fix: 'Wait for them, stop some with `bulkhead processes`, or raise pools.commands in config.yaml.',
      }),
  });
}

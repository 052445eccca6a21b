import { ChronicleStage } from '@bulkhead/actions/snapshots/chronicle-stage';
import { Chronicle, Rollbacks } from '@bulkhead/chronicle';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { Clock, HomeLayout, Redaction } from '@bulkhead/protocol';
import type { Logger } from 'pino';

/** Opens what was there before each action, the way back, and the stage that keeps it. */
export function openChronicle(parts: {
  readonly layout: HomeLayout;
  readonly config: Config;
  readonly clock: Clock;
  readonly time: Pick<ConfirmedTime, 'confirmed'>;
  readonly redaction: Redaction;
  readonly logger: Logger;
  /** @param path of the place that failed, if the error does not name it */
  readonly report: (error: unknown, path?: string) => void;
}) {
  const { report, layout, config, clock, time, redaction, logger } = parts;
  const chronicle = Chronicle.open({
    folder: layout.chronicle,
    retention: config.chronicle,
    now: () => clock.now(),
    confirmed: () => time.confirmed(),
  });
  const rollbacks = new Rollbacks({ chronicle, journals: `${layout.chronicle}/rollbacks` });
  // It only reads what is not its own: a write that fails on an open file is one of the chronicle's.
  const placeOf = (error: unknown): string | undefined => (isWrite(error) ? layout.chronicle : undefined);
  const snapshots = new ChronicleStage({
    chronicle,
    redaction,
    onFailure: (actionId, error) => {
      logger.error({ actionId, err: error }, 'what an action left could not be seen');
      report(error, placeOf(error));
    },
    onError: (error) => report(error, placeOf(error)),
  });
  return { chronicle, rollbacks, snapshots };
}

function isWrite(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return ['write', 'fsync', 'ftruncate'].includes(String(error.syscall)) && !('path' in error);
}

import { Chronicle, Rollbacks } from '@bulkhead/chronicle';
import type { Clock, HomeLayout, Redaction } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { Config } from '../config/config-schema.ts';
import { ChronicleStage } from '../snapshots/chronicle-stage.ts';
import type { ConfirmedTime } from '../time/confirmed-time.ts';

/** Opens what was there before each action, the way back, and the stage that keeps it. */
export function openChronicle(parts: {
  readonly layout: HomeLayout;
  readonly config: Config;
  readonly clock: Clock;
  readonly time: Pick<ConfirmedTime, 'confirmed'>;
  readonly redaction: Redaction;
  readonly logger: Logger;
}) {
  const { layout, config, clock, time, redaction, logger } = parts;
  const chronicle = Chronicle.open({
    folder: layout.chronicle,
    retention: config.chronicle,
    now: () => clock.now(),
    confirmed: () => time.confirmed(),
  });
  const rollbacks = new Rollbacks({ chronicle, journals: `${layout.chronicle}/rollbacks` });
  const snapshots = new ChronicleStage({
    chronicle,
    redaction,
    onFailure: (actionId, error) => {
      logger.error({ actionId, err: error }, 'what an action left could not be seen');
    },
  });
  return { chronicle, rollbacks, snapshots };
}

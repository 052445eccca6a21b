import { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { type HomeLayout, type MachineClock, systemTimers } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { EngineOptions } from './engine-options.ts';

/** Time that no wall clock decides. */
export interface Timing {
  readonly machine: MachineClock;
  readonly time: ConfirmedTime;
}

/** Looks at the clocks from now on. */
export function openTiming(
  { clock, machine }: Pick<EngineOptions, 'clock' | 'machine'>,
  layout: Pick<HomeLayout, 'clock'>,
  logger: Pick<Logger, 'info' | 'warn'>,
  stack: AsyncDisposableStack,
): Timing {
  const time = stack.use(
    ConfirmedTime.open({
      path: layout.clock,
      clock,
      machine,
      timers: systemTimers,
      warn: (problem) => logger.warn({ problem }, 'the clock'),
      inform: (what) => logger.info({ what }, 'the clock'),
    }),
  );
  return { machine, time };
}

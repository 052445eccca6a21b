import { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { type DayTotals, openDayTotals } from '@bulkhead/log/ledger/day-totals';
import { type HomeLayout, type MachineClock, systemTimers } from '@bulkhead/protocol';
import type { Logger } from 'pino';
import type { EngineOptions } from './engine-options.ts';

/** Time that no wall clock decides, and what daily limits have counted by it. */
export interface Timing {
  readonly machine: MachineClock;
  readonly time: ConfirmedTime;
  readonly days: DayTotals;
}

/** Looks at the clocks from now on. @throws BulkheadError `store_corrupt` */
export function openTiming(
  { clock, machine }: Pick<EngineOptions, 'clock' | 'machine'>,
  layout: Pick<HomeLayout, 'clock' | 'totals'>,
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
  return { machine, time, days: stack.use(openDayTotals(layout.totals)) };
}

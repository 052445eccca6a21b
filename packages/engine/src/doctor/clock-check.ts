import { advanceClock } from '@bulkhead/home/time/advance-clock';
import { readClockFile } from '@bulkhead/home/time/clock-file';
import { CONFIRM_CLOCK, describeGap } from '@bulkhead/home/time/describe-gap';
import type { Clock, HomeLayout, MachineClock } from '@bulkhead/protocol';
import type { Finding } from './check.ts';

/**
 * Checks that the wall clock has a plausible time. Writes nothing: an engine may be running.
 * @throws BulkheadError `store_corrupt`
 */
export function clockReport(
  { clock: path }: Pick<HomeLayout, 'clock'>,
  clock: Pick<Clock, 'now'>,
  machine: MachineClock,
): Finding {
  const before = readClockFile(path);
  const now = clock.now();
  const detail = new Date(now).toISOString();
  if (before === undefined) return { detail };
  const reading = { wall: now, sinceBoot: machine.sinceBoot(), boot: machine.boot };
  const problem = describeGap(advanceClock(before, reading, true));
  if (problem === undefined) return { detail };
  return { detail: problem, better: `If the clock is right: ${CONFIRM_CLOCK}` };
}

import { aheadOf, DAY_MS } from './advance-clock.ts';
import type { ClockState } from './clock-state.ts';

/** The command that confirms the clock. */
export const CONFIRM_CLOCK = 'bulkhead doctor --confirm-clock';

/**
 * Explains that the wall clock can't be believed yet, with both readings.
 * @returns undefined if it agrees with the expected time, or differs by no more than a day
 */
export function describeGap(state: ClockState): string | undefined {
  const { gap, last, confirmed, offset } = state;
  const ahead = aheadOf(state);
  if (gap === undefined || Math.abs(ahead) <= DAY_MS) return undefined;
  const days = Math.round((Math.abs(ahead) / DAY_MS) * 10) / 10;
  const readings = `it says ${timeText(last.wall)}, expected is ${timeText(confirmed + offset)}`;
  const cause =
    gap.kind === 'off'
      ? `the machine was off for ${days} days, or its clock is wrong`
      : `the clock was set ${days} days ${ahead > 0 ? 'ahead' : 'back'}`;
  return `${cause}: ${readings}. Nothing is removed by age until the clock has kept to it for a day of running time.`;
}

/** A clock's value may be outside the range of dates. */
function timeText(time: number): string {
  return Math.abs(time) < 8.64e15
    ? new Date(time).toISOString().slice(0, 16).replace('T', ' ')
    : String(time);
}

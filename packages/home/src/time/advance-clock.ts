import type { ClockGap, ClockReading, ClockState } from './clock-state.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Largest difference that still agrees with the expected time: time servers correct by as much. */
const AGREES_MS = 60_000;

/**
 * Most running time that one check counts. The engine checks every minute; a machine that slept in
 * between did not run.
 */
const LOOK_MS = 300_000;

/** No engine of this version ran before: an earlier clock was never set. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);

/** The first reading of a home: earlier time is unknown. */
export function firstClockState(reading: ClockReading): ClockState {
  return {
    version: 1,
    confirmed: 0,
    offset: reading.wall,
    last: reading,
    kept: 0,
    isOffTimeOpen: false,
    allowance: 0,
  };
}

/**
 * The state after another reading. While the machine runs, only its own clock counts. For the time
 * it was off there is only the wall clock: up to a day is believed immediately, more after the
 * clock has kept to it for a day of running time.
 *
 * @param isStart true for the first reading of a process: the time before it was not running time
 */
export function advanceClock(before: ClockState, reading: ClockReading, isStart: boolean): ClockState {
  const { last } = before;
  const isSameBoot = reading.boot !== '' && reading.boot === last.boot && reading.sinceBoot >= last.sinceBoot;
  const elapsed = isSameBoot ? reading.sinceBoot - last.sinceBoot : 0;
  const ran = isStart ? 0 : Math.min(elapsed, LOOK_MS);
  const counted = {
    ...before,
    confirmed: before.confirmed + elapsed,
    last: reading,
    ...(isSameBoot ? {} : { isOffTimeOpen: true, allowance: DAY_MS }),
  };
  return judged(believed(counted), ran);
}

/** A person confirms the wall clock. */
export function acceptGap(state: ClockState): ClockState {
  const { gap: _, ...rest } = state;
  const ahead = aheadOf(state);
  const kind = state.gap?.kind ?? 'clock';
  return settled(rest, { kind, ahead, kept: 0 }, state.kept);
}

/** How far the wall clock stands ahead of the expected time; negative: behind it. */
export function aheadOf({ last, confirmed, offset }: ClockState): number {
  return last.wall - (confirmed + offset);
}

/** A night off is no gap. One start of the machine adds no more than a day without proof, in however many steps. */
function believed(state: ClockState): ClockState {
  const ahead = aheadOf(state);
  if (!state.isOffTimeOpen || ahead <= 0 || ahead > DAY_MS) return state;
  const added = Math.min(ahead, state.allowance);
  return { ...state, confirmed: state.confirmed + added, allowance: state.allowance - added };
}

function judged(state: ClockState, ran: number): ClockState {
  const { gap, ...rest } = state;
  const ahead = aheadOf(state);
  if (Math.abs(ahead) <= AGREES_MS) return { ...rest, kept: Math.min(state.kept + ran, DAY_MS) };
  const next = gap !== undefined && isKept(gap, ahead) ? kept(gap, ahead, ran) : begun(state, ahead);
  return next.kept >= DAY_MS ? settled(rest, next, DAY_MS) : { ...rest, gap: next };
}

/** Going back towards the expected time takes the claim back, going further does not prove the further part. */
function isKept(gap: ClockGap, ahead: number): boolean {
  return Math.sign(gap.ahead) === Math.sign(ahead) && Math.abs(ahead) >= Math.abs(gap.ahead) - HOUR_MS;
}

function kept(gap: ClockGap, ahead: number, ran: number): ClockGap {
  const least = Math.sign(ahead) * Math.min(Math.abs(ahead), Math.abs(gap.ahead));
  return { ...gap, ahead: least, kept: gap.kept + ran };
}

function begun(state: ClockState, ahead: number): ClockGap {
  return { kind: state.isOffTimeOpen && ahead > 0 ? 'off' : 'clock', ahead, kept: 0 };
}

/**
 * Only time that the machine was off counts as passed, and only if the clock before it was right.
 * Otherwise the clock is believed from now on, and nothing becomes older.
 */
function settled(state: Omit<ClockState, 'gap'>, gap: ClockGap, keptFor: number): ClockState {
  const isOff = gap.kind === 'off';
  const wasRight = state.kept >= DAY_MS && state.confirmed + state.offset >= EARLIEST_MS;
  const passed = isOff && wasRight ? gap.ahead : 0;
  // The machine may have been off once more while the clock was kept: that is not known yet.
  const isKnown = isOff && Math.abs(aheadOf(state) - gap.ahead) <= AGREES_MS;
  return {
    ...state,
    confirmed: state.confirmed + passed,
    offset: state.offset + gap.ahead - passed,
    kept: keptFor,
    ...(isKnown ? { isOffTimeOpen: false, allowance: 0 } : {}),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 15;

/** The pause grows to a tenth of the wait, so that asking takes little time from slow work. */
const SHARE = 0.1;
const LONGEST_PAUSE_MS = 250;

/** A bound on what hangs, not on what is slow: the machine may be busy with other work. */
const HANG_MS = 60_000;

/**
 * Asks again and again until the answer is something other than `undefined` or `false`.
 *
 * @param what for the message when the time is over
 * @param withinMs bound, milliseconds
 * @throws Error when the time is over; what `check` throws
 */
export async function until<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  withinMs = HANG_MS,
): Promise<Exclude<Value, undefined | false>> {
  const begun = performance.now();
  for (;;) {
    const value = await check();
    if (isAnswer(value)) return value;
    const waited = performance.now() - begun;
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, waited * SHARE)));
  }
}

function isAnswer<Value>(value: Value): value is Exclude<Value, undefined | false> {
  return value !== undefined && value !== false;
}

import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 15;

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
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await check();
    if (isAnswer(value)) return value;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(PAUSE_MS);
  }
}

function isAnswer<Value>(value: Value): value is Exclude<Value, undefined | false> {
  return value !== undefined && value !== false;
}

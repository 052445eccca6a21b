import type { Timers } from '@bulkhead/protocol';

/** A witness took too long. */
export class SlowWitness extends Error {}

/**
 * Asks a witness, with a time limit that holds even if it ignores the signal.
 * @throws SlowWitness, or the question's error
 */
export async function askWitness<Answer>(
  question: (signal: AbortSignal) => Promise<Answer>,
  { timers, timeoutMs }: { readonly timers: Timers; readonly timeoutMs: number },
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const stop = new AbortController();
  using _timer = timers.after(timeoutMs, () => {
    const slow = new SlowWitness(`it did not answer within ${timeoutMs} ms`);
    late.reject(slow);
    stop.abort(slow);
  });
  return await Promise.race([question(stop.signal), late.promise]);
}

import type { Timers } from '@bulkhead/protocol';
import type { WaitingCall } from './open-runs.ts';
import { readEvent } from './read-event.ts';
import type { Finish, RunFold } from './run-fold.ts';

/** How long nothing must happen before the calls that wait are told, so that those of one batch are told together. */
const QUIET_MS = 50;

/** How an answer ends. */
export type AnswerEnd =
  | {
      readonly finish: Finish;
      /** When its last message was written down. */
      readonly time?: string | undefined;
    }
  /** The program is to answer these; more wait for it after that. */
  | {
      readonly finish: 'tool_calls';
      readonly told: readonly WaitingCall[];
      readonly untold: readonly WaitingCall[];
    };

/**
 * Follows a run to its end, or to where it waits for its program. Gives the texts on the way.
 *
 * @param lines of the run's session, from where the answer begins
 * @param oneCall tells one call at a time
 * @param until where it ended with calls when it was given before
 * @throws BulkheadError if the run failed
 */
export async function* runAnswer(
  fold: RunFold,
  lines: AsyncGenerator<{ readonly json: string }>,
  {
    timers,
    oneCall,
    until,
  }: { readonly timers: Timers; readonly oneCall: boolean; readonly until?: number | undefined },
): AsyncGenerator<string, AnswerEnd> {
  try {
    let next = lines.next();
    // A failure is met where it is awaited.
    next.catch(() => {});
    for (;;) {
      const waiting = fold.waiting;
      const got = waiting.length > 0 ? await quiet(next, timers) : await next;
      if (got === undefined) return withCalls(waiting, oneCall);
      if (got.done === true) throw new Error('the events of the run ended before it did');
      const text = fold.take(readEvent(got.value.json));
      if (text !== '') yield text;
      if (fold.finish !== undefined) return { finish: fold.finish, time: fold.time };
      if (until !== undefined && fold.place.seq >= until) return withCalls(fold.waiting, oneCall);
      next = lines.next();
      next.catch(() => {});
    }
  } finally {
    // Not awaited: it may be waiting for the next line itself.
    lines.return(undefined).catch(() => {});
  }
}

function withCalls(waiting: readonly WaitingCall[], oneCall: boolean): AnswerEnd {
  const told = oneCall ? waiting.slice(0, 1) : waiting;
  return { finish: 'tool_calls', told, untold: waiting.slice(told.length) };
}

/** @returns undefined if nothing came */
async function quiet<Value>(next: Promise<Value>, timers: Timers): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  using _timer = timers.after(QUIET_MS, () => resolve(undefined));
  return await Promise.race([next, promise]);
}

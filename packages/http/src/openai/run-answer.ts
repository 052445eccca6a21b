import { BulkheadError, type SessionEvent, type Timers } from '@bulkhead/protocol';
import type { WaitingCall } from './open-runs.ts';
import type { Finish, RunFold } from './run-fold.ts';

/**
 * Calls are reported after a pause of this length, so that one batch is reported together, in
 * milliseconds.
 */
const QUIET_MS = 50;

/** How an answer ends. */
export type AnswerEnd =
  | {
      readonly finish: Finish;
      /** Time when its last message was recorded. */
      readonly time?: string | undefined;
    }
  /** The program must answer these; more may wait after them. */
  | {
      readonly finish: 'tool_calls';
      readonly told: readonly WaitingCall[];
      readonly untold: readonly WaitingCall[];
    };

/**
 * Follows a run to its end, or until it waits for its program. Yields the texts.
 *
 * @param lines of the run's session, from the start of the answer
 * @param oneCall reports one call at a time
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
    // The awaiting code handles a failure.
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
    // Not awaited: the iterator may be waiting for its next line.
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

/** Parses an event line of this engine: of the same build, so its shape is known. */
function readEvent(json: string): SessionEvent {
  const event: unknown = JSON.parse(json);
  if (isEvent(event)) return event;
  throw new BulkheadError('internal', 'an event line can not be read');
}

function isEvent(value: unknown): value is SessionEvent {
  return typeof value === 'object' && value !== null && 'type' in value && 'seq' in value && 'turn' in value;
}

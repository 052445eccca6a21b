import { BulkheadError } from '@bulkhead/protocol';

/** The present work of an actor [T4]. */
export type Phase = 'idle' | 'turn' | 'compaction';

/** The typed answer to what needs a session that is idle: it names what runs [T4]. */
export function sessionIsBusy(
  session: string,
  purpose: string,
  phase: Phase,
  message: string,
): BulkheadError {
  const what = phase === 'turn' ? `the run for message ${message}` : 'a compaction';
  return new BulkheadError('busy', `session ${session} can't ${purpose} now: ${what} is going on`, {
    retryable: true,
    fix: 'Wait until it is idle, or cancel what it does.',
    details: { session, phase, message },
  });
}

export function queueIsFull(session: string, most: number): BulkheadError {
  return new BulkheadError('busy', `${most} messages wait in session ${session} already`, {
    retryable: true,
    fix: 'Wait until some of them are settled, or cancel what runs.',
  });
}

/** For what needs an engine that goes on: the same request succeeds at the next one. */
export function engineStops(): BulkheadError {
  return new BulkheadError('not_running', 'the engine is stopping', {
    retryable: true,
    fix: 'Send it again once it runs.',
  });
}

export function unreadable(): BulkheadError {
  return new BulkheadError('store_corrupt', 'this message was stored in a form this version can not read', {
    fix: 'Send it again.',
  });
}

import { BulkheadError } from '@bulkhead/protocol';
import { BROKEN_ANSWER_FIX } from './errors/failure-fix.ts';
import type { ModelTimeLimits } from './model-settings.ts';
import type { StallPhase } from './stall-watch.ts';

/** Errors of a stream that the provider itself doesn't report. `name` is `provider/model`. */

export function tooSlowError(name: string, { totalMs }: ModelTimeLimits): BulkheadError {
  return new BulkheadError('timeout', `${name} was not done after ${totalMs / 1000} s`, {
    retryable: true,
    details: { phase: 'total', limitMs: totalMs },
    fix: 'Raise timeouts.answerSeconds if its answers are that long.',
  });
}

export function stallError(name: string, phase: StallPhase, limits: ModelTimeLimits): BulkheadError {
  const limitMs = phase === 'idle' ? limits.idleMs : limits.firstTokenMs;
  const what = phase === 'idle' ? 'stopped sending' : 'sent nothing';
  return new BulkheadError('timeout', `${name} ${what} for ${limitMs / 1000} s`, {
    retryable: true,
    details: { phase, limitMs },
  });
}

export function cancelledError(name: string): BulkheadError {
  return new BulkheadError('cancelled', `the request to ${name} was cancelled`);
}

/** The expected form of an answer, and the received one. */
export interface AnswerFormat {
  /** `provider/model`. */
  readonly name: string;
  /** Undefined as long as the provider isn't loaded. */
  readonly expected: 'event-stream' | 'ndjson' | undefined;
  readonly contentType: string | undefined;
}

/**
 * The stream ended before the provider's finish reason: the answer may be incomplete. A web page
 * means that the address is not that of an API: a retry gives it again.
 */
export function cutOffError({ name, expected = 'event-stream', contentType }: AnswerFormat): BulkheadError {
  const isStream = contentType === undefined || contentType.includes(expected);
  const wanted = expected === 'ndjson' ? 'lines of JSON' : 'an event stream';
  const hint = isStream ? '' : ` (it answered with ${contentType} instead of ${wanted})`;
  const isPage = contentType?.includes('text/html') ?? false;
  return new BulkheadError('server_error', `the answer of ${name} broke off${hint}`, {
    retryable: !isPage,
    details: { contentType },
    fix: isStream
      ? BROKEN_ANSWER_FIX
      : 'Is this the address of the API? Check baseUrl: it ends before the endpoint, for example http://host/v1.',
  });
}

export function lostCallsError(name: string): BulkheadError {
  return new BulkheadError('server_error', `${name} announced tool calls but none arrived whole`, {
    retryable: true,
  });
}

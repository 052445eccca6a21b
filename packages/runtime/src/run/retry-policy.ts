import type { BulkheadError, ErrorCode } from '@bulkhead/protocol';

/** As configured [E2]; times in milliseconds. */
export interface RetrySettings {
  readonly enabled: boolean;
  /** For each model, after its first attempt. */
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  /** A provider that asks for a longer wait is not waited for. */
  readonly maxDelayMs: number;
  readonly jitter: boolean;
}

/** The handling of a failed model call. */
export type RetryDecision =
  | { readonly kind: 'again'; readonly delayMs: number }
  /** The conversation is too long: the same request must not be sent again [E3]. */
  | { readonly kind: 'compact' }
  | { readonly kind: 'give_up' };

/** Errors after which another model or provider may do better [E5]. */
const CURABLE_ELSEWHERE: ReadonlySet<ErrorCode> = new Set([
  'overloaded',
  'rate_limit',
  'server_error',
  'timeout',
  'auth',
  'auth_permanent',
  'missing_key',
  'billing',
  'model_not_found',
  'content_blocked',
  'unknown_provider_error',
]);

/**
 * @param error what the call failed with
 * @param attempt how many attempts this model has had, from 1
 * @param random a number in [0, 1), for jitter
 */
export function retryDecision(
  error: BulkheadError,
  attempt: number,
  settings: RetrySettings,
  random: () => number,
): RetryDecision {
  if (error.code === 'context_overflow') return { kind: 'compact' };
  if (!settings.enabled || !error.retryable || attempt > settings.maxRetries) return { kind: 'give_up' };
  const asked = error.details['retryAfterMs'];
  if (typeof asked === 'number' && asked >= 0) {
    return asked > settings.maxDelayMs ? { kind: 'give_up' } : { kind: 'again', delayMs: asked };
  }
  const delay = Math.min(settings.baseDelayMs * 2 ** (attempt - 1), settings.maxDelayMs);
  // "Equal jitter": half of the wait is kept, so that no attempt comes at once.
  return { kind: 'again', delayMs: settings.jitter ? delay / 2 + (delay / 2) * random() : delay };
}

/** True if a fallback model is worth trying after `error`, once there is no other attempt at the same. */
export function curableElsewhere(error: BulkheadError): boolean {
  return CURABLE_ELSEWHERE.has(error.code);
}

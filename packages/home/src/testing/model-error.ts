import { BulkheadError } from '@bulkhead/protocol';

/** A failure of a model, as its client would throw it. */
export function modelError(
  code: BulkheadError['code'],
  details: Record<string, unknown> = {},
): BulkheadError {
  const retryable = [
    'rate_limit',
    'overloaded',
    'server_error',
    'timeout',
    'context_overflow',
    'unknown_provider_error',
  ];
  return new BulkheadError(code, `simulated ${code}`, { retryable: retryable.includes(code), details });
}

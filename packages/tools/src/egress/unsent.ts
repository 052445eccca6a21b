import { BulkheadError } from '@bulkhead/protocol';

/** An error marked as raised before any byte of a request was sent. */
export function unsent(error: unknown): BulkheadError {
  const { code, message, fix, cause, details, retryable } = BulkheadError.from(error);
  return new BulkheadError(code, message, {
    cause,
    details: { ...details, sent: false },
    retryable,
    ...(fix === undefined ? {} : { fix }),
  });
}

/** True if certainly nothing was sent. */
export function isUnsent(error: unknown): boolean {
  return BulkheadError.is(error) && error.details?.['sent'] === false;
}

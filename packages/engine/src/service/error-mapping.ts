import { errorMetadata } from '@bulkhead/home/errors/error-metadata';
import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';
import { Code, ConnectError } from '@connectrpc/connect';

const STATUS: Partial<Record<ErrorCode, Code>> = {
  usage: Code.InvalidArgument,
  config_invalid: Code.FailedPrecondition,
  not_available: Code.FailedPrecondition,
  not_found: Code.NotFound,
  busy: Code.ResourceExhausted,
  rate_limit: Code.ResourceExhausted,
  timeout: Code.DeadlineExceeded,
  unauthenticated: Code.Unauthenticated,
  cancelled: Code.Canceled,
  missing_key: Code.FailedPrecondition,
  store_failed: Code.Unavailable,
  audit_failed: Code.Unavailable,
};

/**
 * Converts one of our errors for gRPC: approximate status, message, and code and fix as trailers.
 */
export function toConnectError(error: unknown): ConnectError {
  const known = BulkheadError.from(error);
  return new ConnectError(known.message, codeOf(known), errorMetadata(known));
}

/** A temporary failure is unavailable; a missing set-up has to be changed by a person. */
function codeOf({ code, retryable }: BulkheadError): Code {
  if (code === 'not_running' || (code === 'not_available' && retryable)) return Code.Unavailable;
  return STATUS[code] ?? Code.Internal;
}

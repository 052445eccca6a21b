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

/** One of our errors as gRPC carries it: rough status, sentence, and code and mend as trailers. */
export function toConnectError(error: unknown): ConnectError {
  const known = BulkheadError.from(error);
  return new ConnectError(known.message, codeOf(known), errorMetadata(known));
}

/** What comes back by itself is unavailable; a set-up that is missing needs somebody to change it. */
function codeOf({ code, retryable }: BulkheadError): Code {
  if (code === 'not_running' || (code === 'not_available' && retryable)) return Code.Unavailable;
  return STATUS[code] ?? Code.Internal;
}

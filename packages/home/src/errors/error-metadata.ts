import { BulkheadError, errorCode } from '@bulkhead/protocol';

/**
 * How a `BulkheadError` travels over gRPC: `grpc-status` has the approximate kind, `grpc-message`
 * the sentence, and these trailers the code, the fix, and whether a retry may succeed. Values are
 * percent-encoded: trailers are ASCII.
 */
const CODE = 'bulkhead-code';
const FIX = 'bulkhead-fix';
const RETRYABLE = 'bulkhead-retryable';

/** gRPC status numbers, https://grpc.io/docs/guides/status-codes. */
export const GRPC_STATUS = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** For the service: trailers to send with an error beside status and message. */
export function errorMetadata(error: BulkheadError): Record<string, string> {
  return {
    [CODE]: error.code,
    ...(error.retryable ? { [RETRYABLE]: 'true' } : {}),
    ...(error.fix === undefined ? {} : { [FIX]: encodeURIComponent(error.fix) }),
  };
}

/** For the client: the error in a call's trailers. */
export function errorFromTrailers(
  status: number,
  trailers: Readonly<Record<string, string | undefined>>,
): BulkheadError {
  return errorFromMetadata(status, decode(trailers['grpc-message']), trailers);
}

/**
 * For a caller of the service without a wire between: the error from its parts.
 *
 * @param message readable text
 * @param metadata as `errorMetadata` makes it
 */
export function errorFromMetadata(
  status: number,
  message: string,
  metadata: Readonly<Record<string, string | undefined>>,
): BulkheadError {
  const fix = decode(metadata[FIX]);
  const told = message || `the engine refused the call (gRPC status ${status})`;
  return new BulkheadError(errorCode(metadata[CODE]) ?? codeOfStatus(status), told, {
    ...(fix === '' ? {} : { fix }),
    retryable: status === GRPC_STATUS.unavailable || metadata[RETRYABLE] === 'true',
    details: { grpcStatus: status },
  });
}

function codeOfStatus(status: number): BulkheadError['code'] {
  switch (status) {
    case GRPC_STATUS.cancelled:
      return 'cancelled';
    case GRPC_STATUS.invalidArgument:
      return 'usage';
    case GRPC_STATUS.deadlineExceeded:
      return 'timeout';
    case GRPC_STATUS.notFound:
      return 'not_found';
    // Our own `busy` has its code: without one, the transport refused a too large message.
    case GRPC_STATUS.resourceExhausted:
      return 'usage';
    case GRPC_STATUS.failedPrecondition:
      return 'not_available';
    case GRPC_STATUS.unimplemented:
      return 'protocol_violation';
    case GRPC_STATUS.unavailable:
      return 'not_running';
    case GRPC_STATUS.unauthenticated:
      return 'unauthenticated';
    default:
      return 'internal';
  }
}

function decode(value: string | undefined): string {
  if (value === undefined) return '';
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

import type { ServerResponse } from 'node:http';
import { BulkheadError, type ErrorCode } from '@bulkhead/protocol';

/** On every answer: no guessing of the type, no framing, no caching, no referrer. */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** For all that is not a page: if a browser shows it anyway, it can do nothing. */
const INERT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** HTTP status of each code; 500 for codes that are not listed. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  usage: 400,
  invalid_arguments: 400,
  protocol_violation: 400,
  unauthenticated: 401,
  blocked: 403,
  denied: 403,
  not_found: 404,
  model_not_found: 404,
  busy: 409,
  already_running: 409,
  cancelled: 409,
  config_invalid: 422,
  missing_key: 422,
  not_available: 422,
  rate_limit: 429,
  overloaded: 503,
  store_failed: 503,
  audit_failed: 503,
  timeout: 504,
};

/**
 * For conditions that pass without action, such as a full disk or a starting engine: retry after
 * this time.
 */
const RETRY_SECONDS = 2;

/** A refusal by the door itself, with the most fitting status. */
export function refusal(
  status: number,
  code: ErrorCode,
  message: string,
  { fix, retryAfterSeconds }: { readonly fix?: string; readonly retryAfterSeconds?: number } = {},
): BulkheadError {
  return new BulkheadError(code, message, {
    ...(fix === undefined ? {} : { fix }),
    details: { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  });
}

export function statusOf(error: BulkheadError): number {
  const chosen = error.details['status'];
  if (typeof chosen === 'number') return chosen;
  return isAway(error) ? 503 : (STATUS[error.code] ?? 500);
}

/**
 * True if the same request can succeed later, as when the engine starts or stops. A missing set-up
 * has to be changed by a person first.
 */
function isAway({ code, retryable }: BulkheadError): boolean {
  return code === 'not_running' || (code === 'not_available' && retryable);
}

/**
 * Returns the error for the client: an internal failure is reported without its details.
 * @param onInside receives the internal failure
 */
export function toldError(error: unknown, onInside: (error: unknown) => void): BulkheadError {
  const known = BulkheadError.from(error);
  if (known.code !== 'internal') return known;
  onInside(error);
  return new BulkheadError('internal', 'something went wrong in the engine', { fix: 'See `bulkhead logs`.' });
}

/** An error in the shape that clients read. */
export function errorBody(error: BulkheadError): {
  readonly error: { readonly code: string; readonly message: string; readonly fix?: string };
} {
  const { code, message, fix } = error;
  return { error: { code, message, ...(fix === undefined ? {} : { fix }) } };
}

/** Headers of an answer that is not a page. */
export function plainHeaders(type: string): Readonly<Record<string, string>> {
  return {
    ...SAFE_HEADERS,
    'content-type': type,
    'content-security-policy': INERT_POLICY,
    'cache-control': 'no-store',
  };
}

/** Headers of a page and its files. */
export function pageHeaders(type: string, policy: string, caching: string): Readonly<Record<string, string>> {
  return {
    ...SAFE_HEADERS,
    'content-type': type,
    'content-security-policy': policy,
    'cache-control': caching,
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...plainHeaders('application/json'),
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  });
  response.end(text);
}

export function sendError(
  response: ServerResponse,
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const known = BulkheadError.from(error);
  const status = statusOf(known);
  sendJson(response, status, errorBody(known), { ...retryAfter(known), ...headers });
}

/** Names the delay of a retry where the client should retry. */
export function retryAfter(error: BulkheadError): Readonly<Record<string, string>> {
  const passes = isAway(error) || (error.retryable && statusOf(error) === 503);
  const seconds = error.details['retryAfterSeconds'] ?? (passes ? RETRY_SECONDS : undefined);
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}

import { parseErrorBody } from './error-body.ts';
import { type Fields, fieldsOf, numberField, stringField } from './error-fields.ts';
import { networkCodeOf } from './network-code.ts';

/** The facts of a failed model request, gathered from whatever error object reported it. */
export interface ProviderFailure {
  readonly status: number | undefined;
  /** In the provider's terms, for example `insufficient_quota` and `rate_limit_error`. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** Code of the connection's own failure, for example `ECONNREFUSED`. */
  readonly network: string | undefined;
  /** The error body as text, unchanged. */
  readonly body: string | undefined;
}

/** Type of a failure if the provider's answer could not be understood. */
export const MALFORMED_RESPONSE = 'malformed_response';

/** Names under which the provider packages report an answer that breaks its format. */
const MALFORMED_NAMES: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
]);

const REQUEST_ID_HEADERS = ['request-id', 'x-request-id', 'cf-ray'];

/**
 * Reads an error of a provider package or a bare error payload from a stream. By structure, not by
 * class: the packages' classes aren't loaded here.
 * @param now milliseconds since the epoch, for `Retry-After` dates without a `Date` header
 */
export function readProviderFailure(error: unknown, now: number): ProviderFailure {
  const headers = fieldsOf(fieldsOf(error)['responseHeaders']);
  const bodyText = stringField(error, 'responseBody');
  const body = parseErrorBody(bodyText ?? payloadOf(error));
  const status = numberField(error, 'statusCode') ?? body.status;
  return {
    status,
    code: body.code,
    type: MALFORMED_NAMES.has(stringField(error, 'name') ?? '') ? MALFORMED_RESPONSE : body.type,
    message: body.message ?? stringField(error, 'message') ?? 'no reason given',
    requestId: REQUEST_ID_HEADERS.map((name) => stringField(headers, name)).find(Boolean) ?? body.requestId,
    retryAfterMs: retryAfterMs(headers, now) ?? body.retryAfterMs,
    network: networkCodeOf(error),
    body: bodyText,
  };
}

/** An error event of a stream: some packages pass its payload bare, some under `data`. */
function payloadOf(error: unknown): unknown {
  if (error instanceof Error) return fieldsOf(error)['data'] ?? {};
  const data = fieldsOf(error)['data'];
  return typeof data === 'object' && data !== null ? data : error;
}

/**
 * The wait that the server requests, in milliseconds: `Retry-After` in seconds or as a date (RFC
 * 9110, 10.2.3), which is measured against the server's own `Date`, or `retry-after-ms`. Undefined
 * without one.
 */
function retryAfterMs(headers: Fields, now: number): number | undefined {
  const precise = Number.parseFloat(stringField(headers, 'retry-after-ms') ?? '');
  if (Number.isFinite(precise)) return Math.max(0, Math.ceil(precise));
  const text = stringField(headers, 'retry-after');
  if (text === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000);
  const until = Date.parse(text);
  const serverNow = Date.parse(stringField(headers, 'date') ?? '');
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}

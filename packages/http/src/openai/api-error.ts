import type { ServerResponse } from 'node:http';
import { BulkheadError, describeError, type ErrorCode } from '@bulkhead/protocol';
import { retryAfter, sendJson, statusOf } from '../answer.ts';

/** A request error in the format of the OpenAI API. */
interface ApiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

/**
 * An error for a request that can't be fulfilled.
 *
 * @param param place in the request; empty for none
 * @param apiCode code that programs know
 */
export function invalidRequest(
  message: string,
  param = '',
  apiCode = 'invalid_value',
  status = 400,
): BulkheadError {
  return new BulkheadError('usage', message, { details: { status, param, apiCode } });
}

/**
 * Status and code of a failed run, by its cause. Failures of a provider are not the caller's fault.
 */
const FAILURES: Readonly<
  Partial<Record<ErrorCode, readonly [status: number, apiCode: string, retryAfterSeconds?: number]>>
> = {
  rate_limit: [429, 'rate_limit_exceeded', 10],
  spend_limit: [429, 'insufficient_quota'],
  answer_limit: [502, 'answer_too_large'],
  busy: [429, 'rate_limit_exceeded', 1],
  overloaded: [503, 'overloaded', 10],
  not_available: [503, 'not_available', 5],
  server_error: [502, 'provider_error'],
  timeout: [504, 'timeout'],
  context_overflow: [400, 'context_length_exceeded'],
  content_blocked: [400, 'content_filter'],
  model_not_found: [404, 'model_not_found'],
  auth: [502, 'provider_auth'],
  auth_permanent: [502, 'provider_auth'],
  billing: [502, 'provider_auth'],
  missing_key: [502, 'provider_auth'],
  unknown_provider_error: [502, 'provider_error'],
  format_error: [502, 'provider_error'],
  interrupted: [503, 'interrupted'],
  cancelled: [499, 'cancelled'],
};

/**
 * The error of a run that ended without an answer. Programs must not retry it automatically: its
 * effects remain.
 */
export function runFailure(code: string, message: string): BulkheadError {
  const known = Object.entries(FAILURES).find(([name]) => name === code)?.[1];
  // In an accepted message, only the name of the model can still be wrong.
  const [status, apiCode, retryAfterSeconds] =
    known ?? (code === 'usage' ? [404, 'model_not_found'] : [500, code]);
  return new BulkheadError('server_error', message, {
    details: { status, apiCode, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  });
}

/** The same error for those that the service gives before a run begins. */
export function serviceFailure(error: unknown): BulkheadError {
  const known = BulkheadError.from(error);
  if (known.details['apiCode'] !== undefined || FAILURES[known.code] === undefined) return known;
  const { details } = runFailure(known.code, known.message);
  return new BulkheadError(known.code, known.message, {
    ...(known.fix === undefined ? {} : { fix: known.fix }),
    details,
  });
}

export function apiErrorBody(error: unknown): ApiErrorBody {
  const known = BulkheadError.from(error);
  const { param, apiCode } = known.details;
  return {
    error: {
      // Internal failures are reported without details.
      message: known.code === 'internal' ? 'something went wrong in the engine' : describeError(known),
      type: typeOf(statusOf(known)),
      param: typeof param === 'string' && param !== '' ? param : null,
      code: typeof apiCode === 'string' ? apiCode : (CODES[known.code] ?? known.code),
    },
  };
}

const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthenticated: 'invalid_api_key',
  rate_limit: 'rate_limit_exceeded',
  usage: 'invalid_value',
};

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
}

export function sendApiError(response: ServerResponse, error: unknown): void {
  const known = BulkheadError.from(error);
  sendJson(response, statusOf(known), apiErrorBody(known), {
    // Programs retry failures automatically: a run has effects, so its caller has to decide.
    ...(known.code === 'server_error' ? { 'x-should-retry': 'false' } : {}),
    ...retryAfter(known),
  });
}

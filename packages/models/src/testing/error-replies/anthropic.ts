import { anthropicError, type ErrorCase } from './error-case.ts';

const wire = 'anthropic';

/** https://docs.anthropic.com/en/api/errors */
export const ANTHROPIC_ERRORS: readonly ErrorCase[] = [
  {
    title: 'Anthropic 401 with a wrong key',
    wire,
    error: anthropicError(401, 'authentication_error', 'invalid x-api-key'),
    code: 'auth_permanent',
    retryable: false,
    details: { status: 401, type: 'authentication_error', requestId: 'req_anthropic_1' },
  },
  {
    title: 'Anthropic 401',
    wire,
    error: anthropicError(401, 'authentication_error', 'OAuth token has to be refreshed'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Anthropic 403',
    wire,
    error: anthropicError(403, 'permission_error', 'Your key may not use this resource'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Anthropic 404',
    wire,
    error: anthropicError(404, 'not_found_error', 'model: claude-0'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'Anthropic 429 with a date as Retry-After',
    wire,
    error: {
      ...anthropicError(429, 'rate_limit_error', 'This request would exceed your rate limit'),
      headers: { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT' },
    },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 30_000 },
  },
  {
    title: 'Anthropic 413',
    wire,
    error: anthropicError(413, 'request_too_large', 'Request exceeds the maximum size'),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'Anthropic 400 for a prompt that is too long',
    wire,
    error: anthropicError(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'Anthropic 400 for missing credit',
    wire,
    error: anthropicError(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Anthropic 400',
    wire,
    error: anthropicError(400, 'invalid_request_error', 'messages: roles must alternate'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'Anthropic 500',
    wire,
    error: anthropicError(500, 'api_error', 'Internal server error'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Anthropic 529',
    wire,
    error: anthropicError(529, 'overloaded_error', 'Overloaded'),
    code: 'overloaded',
    retryable: true,
  },
  {
    title: 'Anthropic 402',
    wire,
    error: anthropicError(402, 'billing_error', 'There is an issue with your billing'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Anthropic 504',
    wire,
    error: anthropicError(504, 'timeout_error', 'Request timed out'),
    code: 'timeout',
    retryable: true,
  },
];

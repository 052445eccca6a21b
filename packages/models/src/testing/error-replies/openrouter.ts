import { type ErrorCase, openRouterError } from './error-case.ts';

const wire = 'openrouter';

/** https://openrouter.ai/docs/api-reference/errors */
export const OPENROUTER_ERRORS: readonly ErrorCase[] = [
  {
    title: 'OpenRouter 401',
    wire,
    error: openRouterError(401, 'User not found.'),
    code: 'auth',
    retryable: false,
    details: { status: 401 },
  },
  {
    title: 'OpenRouter 401 with a wrong key',
    wire,
    error: openRouterError(401, 'Invalid API key'),
    code: 'auth_permanent',
    retryable: false,
  },
  {
    title: 'OpenRouter 402',
    wire,
    error: openRouterError(402, 'This request requires more credits, or fewer max_tokens.'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'OpenRouter 403 for input that was flagged',
    wire,
    error: openRouterError(403, 'Your input was flagged', {
      reasons: ['violence'],
      flagged_input: 'x',
      provider_name: 'OpenAI',
    }),
    code: 'content_blocked',
    retryable: false,
  },
  {
    title: 'OpenRouter 403',
    wire,
    error: openRouterError(403, 'Key limit exceeded or insufficient permissions'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'OpenRouter 404',
    wire,
    error: openRouterError(404, 'No endpoints found for x/y.'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'OpenRouter 400 for a context that is too long',
    wire,
    error: openRouterError(400, "This endpoint's maximum context length is 8192 tokens."),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'OpenRouter 400 that says its type',
    wire,
    error: openRouterError(400, 'Provider returned error', { error_type: 'context_length_exceeded' }),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'OpenRouter 400',
    wire,
    error: openRouterError(400, 'x is not a valid model ID'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'OpenRouter 408',
    wire,
    error: openRouterError(408, 'Your request timed out'),
    code: 'timeout',
    retryable: true,
  },
  {
    title: 'OpenRouter 429 with Retry-After',
    wire,
    error: { ...openRouterError(429, 'Rate limit exceeded'), headers: { 'retry-after': '12' } },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 12_000 },
  },
  {
    title: 'OpenRouter 500',
    wire,
    error: openRouterError(500, 'Internal Server Error'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenRouter 502',
    wire,
    error: openRouterError(502, 'Provider returned error', { provider_name: 'x', raw: 'overloaded' }),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenRouter 503',
    wire,
    error: openRouterError(503, 'There is no available model provider that meets your routing requirements'),
    code: 'overloaded',
    retryable: true,
  },
  {
    title: 'OpenRouter 529',
    wire,
    error: openRouterError(529, 'Provider overloaded'),
    code: 'overloaded',
    retryable: true,
  },
];

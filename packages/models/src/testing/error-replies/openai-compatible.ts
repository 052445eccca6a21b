import { type ErrorCase, openAIError } from './error-case.ts';

const wire = 'openai-compatible';

/**
 * OpenAI's own shape, and variants of other servers.
 * https://platform.openai.com/docs/guides/error-codes
 */
export const OPENAI_COMPATIBLE_ERRORS: readonly ErrorCase[] = [
  {
    title: 'OpenAI 401 with a wrong key',
    wire,
    error: openAIError(401, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
    code: 'auth_permanent',
    retryable: false,
    details: {
      status: 401,
      code: 'invalid_api_key',
      type: 'invalid_request_error',
      requestId: 'req_openai_1',
    },
  },
  {
    title: '401 that only says so',
    wire,
    error: { status: 401, body: { detail: 'Unauthorized' } },
    code: 'auth',
    retryable: false,
  },
  {
    title: '403 of a gateway, no JSON',
    wire,
    error: { status: 403, body: '<html>Forbidden</html>' },
    code: 'auth',
    retryable: false,
  },
  {
    title: '402',
    wire,
    error: openAIError(402, 'Insufficient credits', null, null),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'OpenAI 404 for a model',
    wire,
    error: openAIError(404, 'The model `x` does not exist', 'invalid_request_error', 'model_not_found'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: '404 of a wrong base URL',
    wire,
    error: { status: 404, body: 'Not Found' },
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'OpenAI 429 with Retry-After',
    wire,
    error: {
      ...openAIError(429, 'Rate limit reached', 'requests', 'rate_limit_exceeded'),
      headers: { 'retry-after': '7' },
    },
    code: 'rate_limit',
    retryable: true,
    details: { status: 429, retryAfterMs: 7000 },
  },
  {
    title: '429 without Retry-After',
    wire,
    error: openAIError(429, 'slow down', null, null),
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'OpenAI 429 with a quota code',
    wire,
    error: openAIError(429, 'You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    code: 'billing',
    retryable: false,
    details: { status: 429, code: 'insufficient_quota' },
  },
  {
    title: 'OpenAI 400 for a context that is too long',
    wire,
    error: openAIError(
      400,
      "This model's maximum context length is 8192 tokens",
      'invalid_request_error',
      'context_length_exceeded',
    ),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'llama.cpp 400 for a context that is too long',
    wire,
    error: {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      },
    },
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'OpenAI 400',
    wire,
    error: openAIError(400, "Missing required parameter: 'x'.", 'invalid_request_error', null),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'OpenAI 400 for content',
    wire,
    error: openAIError(400, 'Your request was rejected', 'invalid_request_error', 'content_policy_violation'),
    code: 'content_blocked',
    retryable: false,
  },
  {
    title: '422 of vLLM',
    wire,
    error: {
      status: 422,
      body: { object: 'error', message: 'bad field', type: 'BadRequestError', code: 422 },
    },
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'OpenAI 500',
    wire,
    error: openAIError(500, 'The server had an error', 'server_error', null),
    code: 'server_error',
    retryable: true,
  },
  {
    title: '502 of a proxy',
    wire,
    error: { status: 502, body: '<html>Bad Gateway</html>' },
    code: 'server_error',
    retryable: true,
  },
  {
    title: '503',
    wire,
    error: openAIError(503, 'The engine is currently overloaded', null, null),
    code: 'overloaded',
    retryable: true,
  },
  { title: '504', wire, error: { status: 504, body: '' }, code: 'timeout', retryable: true },
  {
    title: 'Google 429 with RetryInfo',
    wire,
    error: {
      status: 429,
      body: [
        {
          error: {
            code: 429,
            message: 'Resource exhausted',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ retryDelay: '12.5s' }],
          },
        },
      ],
    },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 12_500 },
  },
  { title: '418', wire, error: { status: 418, body: {} }, code: 'unknown_provider_error', retryable: true },
];

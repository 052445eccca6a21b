import type { ErrorCode } from '@bulkhead/protocol';
import type { ScriptedHttpError } from '@bulkhead/testkit';
import type { Wire } from './model-fixtures.ts';

/** An error answer as a provider documents it, and what it must become. */
export interface ErrorCase {
  readonly title: string;
  readonly wire: Wire;
  readonly error: ScriptedHttpError;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

const openai = (
  status: number,
  message: string,
  type: string | null,
  code: string | null,
): ScriptedHttpError => ({
  status,
  body: { error: { message, type, param: null, code } },
  headers: { 'x-request-id': 'req_openai_1' },
});

const anthropic = (status: number, type: string, message: string): ScriptedHttpError => ({
  status,
  body: { type: 'error', error: { type, message }, request_id: 'req_anthropic_1' },
  headers: { 'request-id': 'req_anthropic_1' },
});

const wire = 'openai-compatible' as const;
const claude = 'anthropic' as const;

export const ERROR_CASES: readonly ErrorCase[] = [
  {
    title: 'OpenAI 401 with a wrong key',
    wire,
    error: openai(401, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
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
    error: openai(402, 'Insufficient credits', null, null),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'OpenAI 404 for a model',
    wire,
    error: openai(404, 'The model `x` does not exist', 'invalid_request_error', 'model_not_found'),
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
      ...openai(429, 'Rate limit reached', 'requests', 'rate_limit_exceeded'),
      headers: { 'retry-after': '7' },
    },
    code: 'rate_limit',
    retryable: true,
    details: { status: 429, retryAfterMs: 7000 },
  },
  {
    title: '429 without Retry-After',
    wire,
    error: openai(429, 'slow down', null, null),
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'OpenAI 429 with a quota code',
    wire,
    error: openai(429, 'You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    code: 'billing',
    retryable: false,
    details: { status: 429, code: 'insufficient_quota' },
  },
  {
    title: 'OpenAI 400 for a context that is too long',
    wire,
    error: openai(
      400,
      "This model's maximum context length is 8192 tokens",
      'invalid_request_error',
      'context_length_exceeded',
    ),
    code: 'context_overflow',
    retryable: false,
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
    retryable: false,
  },
  {
    title: 'OpenAI 400',
    wire,
    error: openai(400, "Missing required parameter: 'x'.", 'invalid_request_error', null),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'OpenAI 400 for content',
    wire,
    error: openai(400, 'Your request was rejected', 'invalid_request_error', 'content_policy_violation'),
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
    error: openai(500, 'The server had an error', 'server_error', null),
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
    error: openai(503, 'The engine is currently overloaded', null, null),
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
  {
    title: 'Anthropic 401 with a wrong key',
    wire: claude,
    error: anthropic(401, 'authentication_error', 'invalid x-api-key'),
    code: 'auth_permanent',
    retryable: false,
    details: { status: 401, type: 'authentication_error', requestId: 'req_anthropic_1' },
  },
  {
    title: 'Anthropic 401',
    wire: claude,
    error: anthropic(401, 'authentication_error', 'OAuth token has to be refreshed'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Anthropic 403',
    wire: claude,
    error: anthropic(403, 'permission_error', 'Your key may not use this resource'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Anthropic 404',
    wire: claude,
    error: anthropic(404, 'not_found_error', 'model: claude-0'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'Anthropic 429 with a date as Retry-After',
    wire: claude,
    error: {
      ...anthropic(429, 'rate_limit_error', 'This request would exceed your rate limit'),
      headers: { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:30 GMT' },
    },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 30_000 },
  },
  {
    title: 'Anthropic 413',
    wire: claude,
    error: anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    code: 'context_overflow',
    retryable: false,
  },
  {
    title: 'Anthropic 400 for a prompt that is too long',
    wire: claude,
    error: anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    code: 'context_overflow',
    retryable: false,
  },
  {
    title: 'Anthropic 400 for missing credit',
    wire: claude,
    error: anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the API'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Anthropic 400',
    wire: claude,
    error: anthropic(400, 'invalid_request_error', 'messages: roles must alternate'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'Anthropic 500',
    wire: claude,
    error: anthropic(500, 'api_error', 'Internal server error'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Anthropic 529',
    wire: claude,
    error: anthropic(529, 'overloaded_error', 'Overloaded'),
    code: 'overloaded',
    retryable: true,
  },
];

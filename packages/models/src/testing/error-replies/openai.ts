import { type ErrorCase, openAIError } from './error-case.ts';

const wire = 'openai';

/** https://platform.openai.com/docs/guides/error-codes */
export const OPENAI_ERRORS: readonly ErrorCase[] = [
  {
    title: 'OpenAI (responses) 401 with a wrong key',
    wire,
    error: openAIError(401, 'Incorrect API key provided: sk-x.', 'invalid_request_error', 'invalid_api_key'),
    code: 'auth_permanent',
    retryable: false,
    details: { code: 'invalid_api_key', requestId: 'req_openai_1' },
  },
  {
    title: 'OpenAI (responses) 401 without a role',
    wire,
    error: openAIError(401, 'You must be a member of an organization', 'invalid_request_error', null),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 403 of a country',
    wire,
    error: openAIError(
      403,
      'Country, region, or territory not supported',
      'request_forbidden',
      'unsupported_country_region_territory',
    ),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 404 for a model',
    wire,
    error: openAIError(404, 'The model `x` does not exist', 'invalid_request_error', 'model_not_found'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 400 for a model',
    wire,
    error: openAIError(
      400,
      "The requested model 'x' does not exist.",
      'invalid_request_error',
      'model_not_found',
    ),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 400 for a context that is too long',
    wire,
    error: openAIError(
      400,
      'Your input exceeds the context window of this model.',
      'invalid_request_error',
      'context_length_exceeded',
    ),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'OpenAI (responses) 413 of a proxy',
    wire,
    error: { status: 413, body: 'Request Entity Too Large' },
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'OpenAI (responses) 400 for a prompt that was flagged',
    wire,
    error: openAIError(
      400,
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      'invalid_request_error',
      'invalid_prompt',
    ),
    code: 'content_blocked',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 400',
    wire,
    error: openAIError(
      400,
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'invalid_request_error',
      'unsupported_parameter',
    ),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 429 with Retry-After in milliseconds',
    wire,
    error: {
      ...openAIError(429, 'Rate limit reached for tokens per min', 'tokens', 'rate_limit_exceeded'),
      headers: { 'retry-after-ms': '1250' },
    },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 1250 },
  },
  {
    title: 'OpenAI (responses) 429 with a quota code',
    wire,
    error: openAIError(429, 'You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'OpenAI (responses) 500',
    wire,
    error: openAIError(500, 'The server had an error while processing your request', 'server_error', null),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenAI (responses) 502',
    wire,
    error: { status: 502, body: '<html>Bad Gateway</html>' },
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenAI (responses) 503 with Retry-After',
    wire,
    error: { ...openAIError(503, 'Slow down', 'server_error', null), headers: { 'retry-after': '3' } },
    code: 'overloaded',
    retryable: true,
    details: { retryAfterMs: 3000 },
  },
];

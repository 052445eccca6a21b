import { type ErrorCase, googleError } from './error-case.ts';

const wire = 'google';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const QUOTA_FAILURE = 'type.googleapis.com/google.rpc.QuotaFailure';
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
const QUOTA_TEXT = 'You exceeded your current quota, please check your plan and billing details.';

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
export const GOOGLE_ERRORS: readonly ErrorCase[] = [
  {
    title: 'Google 400 with a wrong key',
    wire,
    error: googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      { '@type': ERROR_INFO, reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ]),
    code: 'auth_permanent',
    retryable: false,
    details: { status: 400 },
  },
  {
    title: 'Google 401',
    wire,
    error: googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Google 403',
    wire,
    error: googleError(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Google 403 for a key that was leaked',
    wire,
    error: googleError(
      403,
      'PERMISSION_DENIED',
      'Your API key was reported as leaked. Please use another API key.',
    ),
    code: 'auth_permanent',
    retryable: false,
  },
  {
    title: 'Google 404 for a model',
    wire,
    error: googleError(404, 'NOT_FOUND', 'models/x is not found for API version v1beta'),
    code: 'model_not_found',
    retryable: false,
  },
  {
    title: 'Google 400 for a context that is too long',
    wire,
    error: googleError(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'Google 413',
    wire,
    error: { status: 413, body: '<html>413 Request Too Large</html>' },
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'Google 400',
    wire,
    error: googleError(400, 'INVALID_ARGUMENT', 'Unable to process input image.'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'Google 429 of a minute, with RetryInfo, although it speaks of the quota',
    wire,
    error: googleError(429, 'RESOURCE_EXHAUSTED', QUOTA_TEXT, [
      {
        '@type': QUOTA_FAILURE,
        violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }],
      },
      { '@type': RETRY_INFO, retryDelay: '27.2s' },
    ]),
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 27_200 },
  },
  {
    title: 'Google 429 of a whole day',
    wire,
    error: googleError(429, 'RESOURCE_EXHAUSTED', QUOTA_TEXT, [
      {
        '@type': QUOTA_FAILURE,
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
      },
      { '@type': RETRY_INFO, retryDelay: '31s' },
    ]),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Google 429 for credits that are used up',
    wire,
    error: googleError(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Google 500',
    wire,
    error: googleError(500, 'INTERNAL', 'An internal error has occurred.'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Google 502',
    wire,
    error: { status: 502, body: '<html>Server Error</html>' },
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Google 503',
    wire,
    error: googleError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    code: 'overloaded',
    retryable: true,
  },
  {
    title: 'Google 504',
    wire,
    error: googleError(504, 'DEADLINE_EXCEEDED', 'The service is unable to finish within the deadline.'),
    code: 'timeout',
    retryable: true,
  },
];

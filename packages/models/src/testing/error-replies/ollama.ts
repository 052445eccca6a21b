import { type ErrorCase, ollamaError } from './error-case.ts';

const wire = 'ollama';

/** https://docs.ollama.com/api/errors */
export const OLLAMA_ERRORS: readonly ErrorCase[] = [
  {
    title: 'Ollama 404 for a model',
    wire,
    error: ollamaError(404, "model 'x' not found"),
    code: 'model_not_found',
    retryable: false,
    details: { status: 404 },
  },
  {
    title: 'Ollama 400 for a context that is too long',
    wire,
    error: ollamaError(400, 'prompt too long; exceeded max context length by 812 tokens'),
    code: 'context_overflow',
    retryable: true,
  },
  {
    title: 'Ollama 400 for a model without tools',
    wire,
    error: ollamaError(400, 'registry.ollama.ai/library/x does not support tools'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'Ollama 400 for a model without thinking',
    wire,
    error: ollamaError(400, '"x" does not support thinking'),
    code: 'format_error',
    retryable: false,
  },
  {
    title: 'Ollama 401 for a model in the cloud',
    wire,
    error: { status: 401, body: { error: 'unauthorized', signin_url: 'https://ollama.com/connect' } },
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Ollama 402 for a model in the cloud',
    wire,
    error: ollamaError(402, 'payment required'),
    code: 'billing',
    retryable: false,
  },
  {
    title: 'Ollama 403',
    wire,
    error: ollamaError(403, 'forbidden'),
    code: 'auth',
    retryable: false,
  },
  {
    title: 'Ollama 429',
    wire,
    error: { ...ollamaError(429, 'too many requests'), headers: { 'retry-after': '2' } },
    code: 'rate_limit',
    retryable: true,
    details: { retryAfterMs: 2000 },
  },
  {
    title: 'Ollama 500 without memory',
    wire,
    error: ollamaError(500, 'model requires more system memory (9.1 GiB) than is available (3.2 GiB)'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Ollama 502 for a model in the cloud',
    wire,
    error: ollamaError(502, 'upstream error'),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Ollama 503',
    wire,
    error: ollamaError(503, 'server busy, please try again. maximum pending requests exceeded'),
    code: 'overloaded',
    retryable: true,
  },
];

import type { StreamErrorCase } from './error-case.ts';

const chunk = (error: object): object => ({
  id: 'gen-1',
  error,
  choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
});

/** Errors in the middle of an answer, in each provider's shape. */
export const STREAM_ERRORS: readonly StreamErrorCase[] = [
  {
    title: 'Anthropic api_error',
    wire: 'anthropic',
    body: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } },
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Anthropic rate_limit_error',
    wire: 'anthropic',
    body: { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } },
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'OpenAI error event',
    wire: 'openai',
    body: { type: 'error', code: 'rate_limit_exceeded', message: 'slow', param: null, sequence_number: 8 },
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'OpenAI error event with an error inside',
    wire: 'openai',
    body: {
      type: 'error',
      sequence_number: 8,
      error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'no', param: null },
    },
    code: 'billing',
    retryable: false,
  },
  {
    title: 'OpenAI failed response',
    wire: 'openai',
    body: {
      type: 'response.failed',
      sequence_number: 8,
      response: {
        id: 'resp_scripted',
        status: 'failed',
        error: { code: 'server_error', message: 'The model failed' },
        usage: null,
      },
    },
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Google INTERNAL',
    wire: 'google',
    body: { error: { code: 500, message: 'An internal error has occurred', status: 'INTERNAL' } },
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'Google RESOURCE_EXHAUSTED',
    wire: 'google',
    body: { error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' } },
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'OpenRouter 502',
    wire: 'openrouter',
    body: chunk({ code: 502, message: 'Provider disconnected' }),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenRouter server_error',
    wire: 'openrouter',
    body: chunk({ code: 'server_error', message: 'Provider disconnected' }),
    code: 'server_error',
    retryable: true,
  },
  {
    title: 'OpenRouter 429',
    wire: 'openrouter',
    body: chunk({ code: 429, message: 'slow' }),
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'an error of a compatible server',
    wire: 'openai-compatible',
    body: { error: { message: 'slow', code: 429 } },
    code: 'rate_limit',
    retryable: true,
  },
  {
    title: 'Ollama',
    wire: 'ollama',
    body: { error: 'an error was encountered while running the model: unexpected EOF' },
    code: 'server_error',
    retryable: true,
  },
];

import type { ScriptedHttpError } from './script.ts';

const DEFAULT_MESSAGE = 'the scripted server was told to fail';

/** https://platform.openai.com/docs/guides/error-codes */
export function openAIErrorBody({ status, message = DEFAULT_MESSAGE, ...given }: ScriptedHttpError): object {
  const type = given.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  const code = given.code ?? (status === 429 ? 'rate_limit_exceeded' : null);
  return { error: { message, type, param: null, code } };
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** https://docs.anthropic.com/en/api/errors */
export function anthropicErrorBody(error: ScriptedHttpError): object {
  const type = error.type ?? ANTHROPIC_TYPES[error.status] ?? 'api_error';
  return {
    type: 'error',
    error: { type, message: error.message ?? DEFAULT_MESSAGE },
    request_id: 'req_scripted',
  };
}

const GOOGLE_STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** https://cloud.google.com/apis/design/errors */
export function googleErrorBody(error: ScriptedHttpError): object {
  const status = error.code ?? GOOGLE_STATUSES[error.status] ?? 'INTERNAL';
  return { error: { code: error.status, message: error.message ?? DEFAULT_MESSAGE, status } };
}

/** https://docs.ollama.com/api/errors */
export function ollamaErrorBody(error: ScriptedHttpError): object {
  return { error: error.message ?? DEFAULT_MESSAGE };
}

import { type Fields, fieldsOf, numberField, stringField } from './error-fields.ts';

export interface ErrorBody {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/**
 * Reads the error bodies in use: OpenAI `{error: {message, type, code}}`, Anthropic `{type: "error", error:
 * {type, message}, request_id}`, Google `[{error: {code, status, message, details}}]`, vLLM `{object: "error",
 * message, type, code}`, `{error: "text"}`, `{detail: "text"}`. A numeric code is an HTTP status.
 */
export function parseErrorBody(body: unknown): ErrorBody {
  const outer = outerFields(typeof body === 'string' ? parsed(body) : body);
  const inner = innerFields(outer);
  const code = stringField(inner, 'code') ?? stringField(fieldsOf(inner['details']), 'error_code');
  return {
    status: httpStatus(numberField(inner, 'code')) ?? httpStatus(numberField(inner, 'statusCode')),
    code: code ?? stringField(inner, 'status'),
    type: stringField(inner, 'type'),
    message: stringField(inner, 'message') ?? stringField(outer, 'error') ?? stringField(outer, 'detail'),
    requestId: stringField(outer, 'request_id'),
    retryAfterMs: retryInfo(inner['details']),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function outerFields(body: unknown): Fields {
  return fieldsOf(Array.isArray(body) ? body[0] : body);
}

function innerFields(outer: Fields): Fields {
  return typeof outer['error'] === 'object' && outer['error'] !== null ? fieldsOf(outer['error']) : outer;
}

function httpStatus(value: number | undefined): number | undefined {
  return value !== undefined && value >= 400 && value < 600 ? value : undefined;
}

/** Google's `RetryInfo` says `"retryDelay": "12.5s"`. https://cloud.google.com/apis/design/errors */
function retryInfo(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const delays = details.map(
    (entry) => /^(\d+(?:\.\d+)?)s$/.exec(stringField(entry, 'retryDelay') ?? '')?.[1],
  );
  const seconds = delays.find((delay) => delay !== undefined);
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

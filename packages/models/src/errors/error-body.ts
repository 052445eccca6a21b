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
 * Reads the error bodies in use: OpenAI `{error: {message, type, code}}`, Anthropic
 * `{type: "error", error: {type, message}, request_id}`, Google
 * `[{error: {code, status, message, details}}]`, OpenRouter `{error: {code, message, metadata}}`, a
 * failed response of OpenAI `{type: "response.failed", response: {error}}`, vLLM
 * `{object: "error", message, type, code}`, Ollama and others `{error: "text"}`,
 * `{detail: "text"}`. A numeric code is an HTTP status.
 */
export function parseErrorBody(body: unknown): ErrorBody {
  const outer = outerFields(typeof body === 'string' ? parsed(body) : body);
  const inner = innerFields(outer);
  const details = detailsOf(inner['details']);
  const code =
    stringField(inner, 'code') ??
    stringField(fieldsOf(inner['details']), 'error_code') ??
    googleReason(details) ??
    openRouterReason(inner['metadata']);
  return {
    status: httpStatus(numberField(inner, 'code')) ?? httpStatus(numberField(inner, 'statusCode')),
    code: code ?? stringField(inner, 'status'),
    type: stringField(inner, 'type'),
    message: stringField(inner, 'message') ?? stringField(outer, 'error') ?? stringField(outer, 'detail'),
    requestId: stringField(outer, 'request_id'),
    retryAfterMs: retryInfo(details),
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
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  return outer['type'] === 'response.failed' ? fieldsOf(outer['response']) : outer;
}

function innerFields(outer: Fields): Fields {
  return typeof outer['error'] === 'object' && outer['error'] !== null ? fieldsOf(outer['error']) : outer;
}

function httpStatus(value: number | undefined): number | undefined {
  return value !== undefined && value >= 400 && value < 600 ? value : undefined;
}

function detailsOf(details: unknown): readonly unknown[] {
  return Array.isArray(details) ? details : [];
}

/**
 * Google's `ErrorInfo` says `"reason": "API_KEY_INVALID"` where the status says no more than 400; a
 * `QuotaFailure` for a whole day is not a temporary rate limit.
 * https://cloud.google.com/apis/design/errors
 */
function googleReason(details: readonly unknown[]): string | undefined {
  const quotas = details.flatMap((detail) => detailsOf(fieldsOf(detail)['violations']));
  if (quotas.some((quota) => /PerDay/.test(stringField(quota, 'quotaId') ?? ''))) return 'quota_exceeded';
  return details.map((detail) => stringField(detail, 'reason')).find((reason) => reason !== undefined);
}

/** Reasons mean that the content was moderated. https://openrouter.ai/docs/api-reference/errors */
function openRouterReason(metadata: unknown): string | undefined {
  const fields = fieldsOf(metadata);
  return Array.isArray(fields['reasons']) ? 'content_filter' : stringField(metadata, 'error_type');
}

/** Google's `RetryInfo` says `"retryDelay": "12.5s"`. */
function retryInfo(details: readonly unknown[]): number | undefined {
  const delays = details.map(
    (entry) => /^(\d+(?:\.\d+)?)s$/.exec(stringField(entry, 'retryDelay') ?? '')?.[1],
  );
  const seconds = delays.find((delay) => delay !== undefined);
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

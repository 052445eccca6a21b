import type { ErrorCode } from '@bulkhead/protocol';
import type { ScriptedHttpError } from '@bulkhead/testkit';
import type { Wire } from '../wire-cases.ts';

/** An error answer as a provider documents it, and our error for it. */
export interface ErrorCase {
  readonly title: string;
  readonly wire: Wire;
  readonly error: ScriptedHttpError;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An error after the answer has started. */
export interface StreamErrorCase {
  readonly title: string;
  readonly wire: Wire;
  readonly body: object;
  readonly code: ErrorCode;
  readonly retryable: boolean;
}

export function openAIError(
  status: number,
  message: string,
  type: string | null,
  code: string | null,
): ScriptedHttpError {
  return {
    status,
    body: { error: { message, type, param: null, code } },
    headers: { 'x-request-id': 'req_openai_1' },
  };
}

export function anthropicError(status: number, type: string, message: string): ScriptedHttpError {
  return {
    status,
    body: { type: 'error', error: { type, message }, request_id: 'req_anthropic_1' },
    headers: { 'request-id': 'req_anthropic_1' },
  };
}

export function googleError(
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): ScriptedHttpError {
  return { status: code, body: { error: { code, message, status, details } } };
}

export function openRouterError(code: number, message: string, metadata?: object): ScriptedHttpError {
  return {
    status: code,
    body: { error: { code, message, ...(metadata === undefined ? {} : { metadata }) } },
  };
}

export function ollamaError(status: number, message: string): ScriptedHttpError {
  return { status, body: { error: message } };
}

import { renderAnthropicReply } from './anthropic-wire.ts';
import { dataEvent, jsonLine } from './event-text.ts';
import { renderGoogleReply } from './google-wire.ts';
import { renderOllamaReply } from './ollama-wire.ts';
import { renderOpenAIReply } from './openai-wire.ts';
import type { RenderedReply } from './rendered-reply.ts';
import { renderResponsesReply } from './responses-wire.ts';
import type { ScriptedHttpError, ScriptedReply, WireFormat } from './script.ts';

/** One wire format, faults included. */
export interface Wire {
  readonly contentType: string;
  /** The server's keep-alive for a silent connection. */
  readonly beat: string;
  /** @param model name from the client's request, sent back to it */
  render(reply: ScriptedReply, model: string): RenderedReply;
  /** Any text as the data of one chunk. */
  dataChunk(data: string): string;
  /** The chunk that reports a failure in the middle of a stream. */
  errorChunk(body: unknown): string;
  /** Body of an error answer in the provider's own shape. */
  errorBody(error: ScriptedHttpError): object;
}

const SERVER_SENT_EVENTS = {
  contentType: 'text/event-stream',
  beat: ': keep-alive\n\n',
  dataChunk: (data: string) => `data: ${data}\n\n`,
  errorChunk: dataEvent,
};

const NAMED_ERROR = (body: unknown): string => `event: error\n${dataEvent(body)}`;

export const WIRES: Readonly<Record<WireFormat, Wire>> = {
  openai: { ...SERVER_SENT_EVENTS, render: renderOpenAIReply, errorBody: openAIErrorBody },
  responses: {
    ...SERVER_SENT_EVENTS,
    render: renderResponsesReply,
    errorChunk: NAMED_ERROR,
    errorBody: openAIErrorBody,
  },
  anthropic: {
    ...SERVER_SENT_EVENTS,
    beat: 'event: ping\ndata: {"type":"ping"}\n\n',
    render: renderAnthropicReply,
    errorChunk: NAMED_ERROR,
    errorBody: anthropicErrorBody,
  },
  google: { ...SERVER_SENT_EVENTS, render: renderGoogleReply, errorBody: googleErrorBody },
  ollama: {
    contentType: 'application/x-ndjson',
    beat: '\n',
    render: renderOllamaReply,
    dataChunk: (data) => `${data}\n`,
    errorChunk: jsonLine,
    errorBody: ollamaErrorBody,
  },
};

const DEFAULT_MESSAGE = 'the scripted server was told to fail';

/** https://platform.openai.com/docs/guides/error-codes */
function openAIErrorBody({ status, message = DEFAULT_MESSAGE, ...given }: ScriptedHttpError): object {
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
function anthropicErrorBody(error: ScriptedHttpError): object {
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
function googleErrorBody(error: ScriptedHttpError): object {
  const status = error.code ?? GOOGLE_STATUSES[error.status] ?? 'INTERNAL';
  return { error: { code: error.status, message: error.message ?? DEFAULT_MESSAGE, status } };
}

/** https://docs.ollama.com/api/errors */
function ollamaErrorBody(error: ScriptedHttpError): object {
  return { error: error.message ?? DEFAULT_MESSAGE };
}

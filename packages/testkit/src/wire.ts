import { renderAnthropicReply } from './anthropic-wire.ts';
import { anthropicErrorBody, googleErrorBody, ollamaErrorBody, openAIErrorBody } from './error-body.ts';
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

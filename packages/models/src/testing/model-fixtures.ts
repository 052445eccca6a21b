import { create } from '@bufbuild/protobuf';
import { BulkheadError, type ModelCall, type ModelClient, type ModelStreamEvent } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  type Message,
  MessageSchema,
  type ToolDefinition,
  ToolDefinitionSchema,
} from '@bulkhead/protocol/chat';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import { createModelClient } from '../create-model-client.ts';
import type { ModelSettings, ModelTimeLimits } from '../model-settings.ts';
import { type Wire, wireCase } from './wire-cases.ts';

/** For this package's tests only: calls, clients and the content of their streams. */

export const KEY = 'sk-canary-0123456789abcdef';

/** A client of a scripted server, with a key if the provider has one. */
export function clientFor(
  wire: Wire,
  server: Pick<ScriptedModelServer, 'url'>,
  limits: Partial<ModelTimeLimits> = {},
  settings: Partial<ModelSettings> = {},
): ModelClient {
  const { basePath, key } = wireCase(wire);
  return createModelClient(
    { provider: wire, model: 'test-model', baseUrl: `${server.url}${basePath}`, ...settings },
    { environment: key === undefined ? {} : { [key.variable]: KEY }, secret: () => undefined },
    { limits },
  );
}

export function callWith(fields: Partial<ModelCall> = {}): ModelCall {
  return {
    system: '',
    messages: [userMessage('hello')],
    tools: [],
    forbidTools: false,
    maxOutputTokens: 1000,
    ...fields,
  };
}

export function userMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

export function imageMessage(text: string, bytes: readonly number[] = [0x89, 0x50, 0x4e, 0x47]): Message {
  const images = [{ mediaType: 'image/png', data: Uint8Array.from(bytes) }];
  return create(MessageSchema, { role: { case: 'user', value: { text, images } } });
}

export function assistantMessage(message: AssistantMessage): Message {
  return create(MessageSchema, { role: { case: 'assistant', value: message } });
}

export function toolMessage(callId: string, name: string, text: string, isError = false): Message {
  return create(MessageSchema, { role: { case: 'tool', value: { callId, name, text, isError } } });
}

export function tool(name: string): ToolDefinition {
  return create(ToolDefinitionSchema, {
    name,
    description: `does ${name}`,
    inputSchemaJson: JSON.stringify({ type: 'object', properties: { path: { type: 'string' } } }),
  });
}

export interface Answer {
  readonly events: readonly ModelStreamEvent[];
  readonly text: string;
  readonly thinking: string;
  readonly finish: Extract<ModelStreamEvent, { type: 'finish' }>;
}

/** Reads a stream to its end; fails unless it ends with exactly one `finish`. */
export async function readAnswer(
  client: ModelClient,
  call: ModelCall = callWith(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer> {
  const events: ModelStreamEvent[] = [];
  for await (const event of client.stream(call, signal)) events.push(event);
  const [finish, ...others] = events.filter((event) => event.type === 'finish');
  if (finish?.type !== 'finish' || others.length > 0 || events.at(-1) !== finish) {
    throw new Error('the stream did not end with exactly one finish');
  }
  const textOf = (type: 'text' | 'thinking'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return { events, text: textOf('text'), thinking: textOf('thinking'), finish };
}

/** The error a stream ends with; fails if it ends without one. */
export async function failureOf(
  client: ModelClient,
  signal?: AbortSignal,
  call: ModelCall = callWith(),
): Promise<BulkheadError> {
  try {
    await readAnswer(client, call, signal);
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
  throw new Error('the stream did not fail');
}

/** Everything that an error could show, in one text. */
export function shownText(error: BulkheadError): string {
  return JSON.stringify([error.message, error.fix, error.details, error.stack, String(error.cause)]);
}

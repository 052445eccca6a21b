import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type ModelAnswerSchema, type ProcessRequest, ProcessRequestSchema } from '@bulkhead/protocol/agent';
import {
  type AssistantMessage,
  AssistantMessageSchema,
  type AssistantPartSchema,
  type Message,
  MessageSchema,
  StopReason,
  type ToolDefinition,
  ToolDefinitionSchema,
} from '@bulkhead/protocol/chat';
import { ResultMarks } from '../prompt/mark-results.ts';

/** A part of a scripted answer: text, or a call. */
export type ScriptPart = string | ScriptCall;

export interface ScriptCall {
  readonly id: string;
  readonly name: string;
  /** The arguments' JSON text; `{}` if not given. */
  readonly json?: string;
}

export function answer(...parts: readonly ScriptPart[]): AssistantMessage {
  return create(AssistantMessageSchema, { parts: parts.map((part) => ({ part: partOf(part) })) });
}

function partOf(part: ScriptPart): NonNullable<MessageInitShape<typeof AssistantPartSchema>['part']> {
  if (typeof part === 'string') return { case: 'text', value: { text: part } };
  return { case: 'toolCall', value: { callId: part.id, name: part.name, argumentsJson: part.json ?? '{}' } };
}

export function userMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

export function assistantMessage(...parts: readonly ScriptPart[]): Message {
  return create(MessageSchema, { role: { case: 'assistant', value: answer(...parts) } });
}

export function toolMessage(callId: string, name: string, text: string, isError = false): Message {
  return create(MessageSchema, { role: { case: 'tool', value: { callId, name, text, isError } } });
}

/** The result of a meta-tool: with the engine's words. */
export function ownWords(callId: string, name: string, text: string, isError = false): Message {
  const value = { callId, name, text, isError, ownWords: true };
  return create(MessageSchema, { role: { case: 'tool', value } });
}

/** Messages as a model sees them: tool results between their marks. */
export function asShown(messages: readonly Message[]): Message[] {
  return new ResultMarks().view(messages);
}

export function definition(name: string, readOnly: boolean): ToolDefinition {
  return create(ToolDefinitionSchema, {
    name,
    description: name,
    inputSchemaJson: '{}',
    group: 'core',
    readOnly,
  });
}

/** A request with one message and two tools that may run concurrently, changed by `init`. */
export function processRequest(init: Partial<ProcessRequest> = {}): ProcessRequest {
  const request = create(ProcessRequestSchema, {
    runId: 'run',
    run: [userMessage('do it')],
    sideBySide: ['read', 'ls'],
    maxRounds: 25,
  });
  return Object.assign(request, init);
}

/** The outcome of one model request. */
export type Outcome = MessageInitShape<typeof ModelAnswerSchema>['outcome'];

export function answered(message: AssistantMessage, stopReason: StopReason = StopReason.STOP): Outcome {
  return { case: 'finished', value: { message, stopReason } };
}

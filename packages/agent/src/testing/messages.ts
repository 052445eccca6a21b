import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type ModelDelta,
  ModelDeltaSchema,
  type ProcessRequest,
  ProcessRequestSchema,
  type RunLimits,
  RunLimitsSchema,
} from '@bulkhead/protocol/agent';
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

/** The result of a meta-tool: words of the engine. */
export function ownWords(callId: string, name: string, text: string, isError = false): Message {
  const value = { callId, name, text, isError, ownWords: true };
  return create(MessageSchema, { role: { case: 'tool', value } });
}

/** Messages as a model is shown them: results of tools between their marks. */
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

const READ = definition('read', true);
const LS = definition('ls', true);
const WRITE = definition('write', false);

/** A request with one message, three tools and one group, changed by `init`. */
export function processRequest(init: Partial<ProcessRequest> = {}): ProcessRequest {
  const request = create(ProcessRequestSchema, {
    runId: 'run',
    run: [userMessage('do it')],
    tools: [READ, LS, WRITE],
    groups: [{ name: 'git', summary: 'version control' }],
    limits: { maxRounds: 25, contextWindow: 128_000, maxOutputTokens: 4_096 },
    context: { agentName: 'Bulkhead', workingFolder: '/w', sessionId: 's', platform: 'linux' },
  });
  return Object.assign(request, init);
}

export function limits(maxRounds: number): RunLimits {
  return create(RunLimitsSchema, { maxRounds });
}

/** The deltas of an answer as a gateway gives them: text as it streams, then the whole. */
export function deltasOf(
  message: AssistantMessage,
  stopReason: StopReason = StopReason.STOP,
): MessageInitShape<typeof ModelDeltaSchema>['delta'][] {
  const streamed = message.parts.flatMap(({ part }) =>
    part.case === 'text' ? [{ case: 'text' as const, value: part.value.text }] : [],
  );
  return [...streamed, { case: 'finished', value: { message, stopReason } }];
}

export function delta(
  requestId: string,
  value: MessageInitShape<typeof ModelDeltaSchema>['delta'],
): ModelDelta {
  return create(ModelDeltaSchema, { requestId, ...(value === undefined ? {} : { delta: value }) });
}

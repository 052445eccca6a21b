import { create } from '@bufbuild/protobuf';
import type { EventUsage, StopReasonName } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  type Attachment,
  type Image,
  type Message,
  MessageSchema,
  StopReason,
  type ToolCall,
  type ToolMessage,
  ToolMessageSchema,
} from '@bulkhead/protocol/chat';

export function userMessage(
  text: string,
  images: readonly Image[] = [],
  attachments: readonly Attachment[] = [],
): Message {
  const value = { text, images: [...images], attachments: [...attachments] };
  return create(MessageSchema, { role: { case: 'user', value } });
}

export function assistantMessage(value: AssistantMessage): Message {
  return create(MessageSchema, { role: { case: 'assistant', value } });
}

export function toolMessage(value: ToolMessage): Message {
  return create(MessageSchema, { role: { case: 'tool', value } });
}

/** The words of a message, without thinking and calls. */
export function textOf(message: Message): string {
  if (message.role.case === 'assistant') return joinParts(message.role.value, 'text');
  return message.role.value?.text ?? '';
}

/** The person's own messages among these, in order. */
export function personsWords(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role.case === 'user').map(textOf);
}

export function thinkingOf(message: Message): string {
  return message.role.case === 'assistant' ? joinParts(message.role.value, 'thinking') : '';
}

function joinParts(message: AssistantMessage, wanted: 'text' | 'thinking'): string {
  return message.parts.map(({ part }) => (part.case === wanted ? part.value.text : '')).join('');
}

/** The calls of an assistant message, in the order the model made them. */
export function callsOf(message: AssistantMessage): ToolCall[] {
  return message.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value] : []));
}

/**
 * The same messages with the results of each round in the order of its calls. Results are stored as they
 * come; what a model is sent must not depend on which tool was faster.
 */
export function inCallOrder(messages: readonly Message[]): Message[] {
  const ordered: Message[] = [];
  for (let index = 0; index < messages.length; ) {
    const message = messages[index];
    if (message === undefined) break;
    ordered.push(message);
    index += 1;
    if (message.role.case !== 'assistant') continue;
    const rank = new Map(callsOf(message.role.value).map((call, place) => [call.callId, place]));
    const end = endOfResults(messages, index);
    ordered.push(...messages.slice(index, end).toSorted((a, b) => placeOf(a, rank) - placeOf(b, rank)));
    index = end;
  }
  return ordered;
}

function endOfResults(messages: readonly Message[], start: number): number {
  let end = start;
  while (messages[end]?.role.case === 'tool') end += 1;
  return end;
}

function placeOf(message: Message, rank: ReadonlyMap<string, number>): number {
  return message.role.case === 'tool' ? (rank.get(message.role.value.callId) ?? rank.size) : rank.size;
}

const STOP_REASON_NAMES: Readonly<Record<StopReason, StopReasonName>> = {
  [StopReason.UNSPECIFIED]: 'other',
  [StopReason.STOP]: 'stop',
  [StopReason.TOOL_CALLS]: 'tool_calls',
  [StopReason.LENGTH]: 'length',
  [StopReason.CONTENT_FILTER]: 'content_filter',
  [StopReason.ERROR]: 'error',
  [StopReason.OTHER]: 'other',
};

export function stopReasonName(reason: StopReason): StopReasonName {
  return STOP_REASON_NAMES[reason];
}

export const NO_USAGE: EventUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
};

/** The numbers alone. */
export function eventUsage(usage: EventUsage): EventUsage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cacheWriteTokens = 0 } = usage;
  const written = cacheWriteTokens === 0 ? {} : { cacheWriteTokens };
  return { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, ...written };
}

export function addUsage(a: EventUsage, b: EventUsage): EventUsage {
  return eventUsage({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cacheWriteTokens: (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0),
  });
}

/**
 * The same messages with a result for every call. A conversation may stand at an entry in the middle of a round: a fork,
 * a move and an imported file can put it there. No provider takes a call without its result.
 */
export function withAllResults(messages: readonly Message[]): Message[] {
  const whole: Message[] = [];
  for (let index = 0; index < messages.length; ) {
    const message = messages[index];
    if (message === undefined) break;
    whole.push(message);
    index += 1;
    if (message.role.case !== 'assistant') continue;
    const end = endOfResults(messages, index);
    const results = messages.slice(index, end);
    const answered = new Set(results.map(({ role }) => (role.case === 'tool' ? role.value.callId : '')));
    const missing = callsOf(message.role.value).filter(({ callId }) => !answered.has(callId));
    whole.push(...results, ...missing.map(notMade));
    index = end;
  }
  return whole;
}

function notMade({ callId, name }: ToolCall): Message {
  const text = 'This call was not made: the conversation was taken up before it.';
  return toolMessage(create(ToolMessageSchema, { callId, name, text, isError: true }));
}

/** Size of what a message says and shows, in bytes; text in UTF-8. */
export function messageBytes({ role }: Message): number {
  if (role.case === 'user') {
    const { text, images, attachments } = role.value;
    const said = attachments.reduce((sum, file) => sum + bytes(file.name) + bytes(file.text), bytes(text));
    return images.reduce((sum, { data }) => sum + data.byteLength, said);
  }
  if (role.case !== 'assistant') return bytes(role.value?.text ?? '');
  return role.value.parts.reduce((sum, { part }) => {
    if (part.case === 'toolCall') return sum + bytes(part.value.name) + bytes(part.value.argumentsJson);
    return sum + bytes(part.value?.text ?? '');
  }, 0);
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

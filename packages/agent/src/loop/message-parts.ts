import { create } from '@bufbuild/protobuf';
import { type AssistantMessage, type Message, MessageSchema, type ToolCall } from '@bulkhead/protocol/chat';

/** A user message. */
export function userMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

/** The calls of an answer, in the model's order. */
export function callsOf(message: AssistantMessage): ToolCall[] {
  return message.parts.flatMap(({ part }) => (part.case === 'toolCall' ? [part.value] : []));
}

/** The text of an answer as it was streamed: its text parts, joined without separators. */
export function textOf(message: AssistantMessage): string {
  return message.parts.map(({ part }) => (part.case === 'text' ? part.value.text : '')).join('');
}

/** `message` as an answer, if it is one without calls. */
export function plainAnswer(message: Message | undefined): AssistantMessage | undefined {
  if (message?.role.case !== 'assistant') return undefined;
  return callsOf(message.role.value).length === 0 ? message.role.value : undefined;
}

/** The text of the answers at the end of `run`: more than one if the output limit cut the first. */
export function closingText(run: readonly Message[]): string {
  let text = '';
  for (let at = run.length - 1; at >= 0; at -= 1) {
    const answer = plainAnswer(run[at]);
    if (answer === undefined) break;
    text = textOf(answer) + text;
  }
  return text;
}

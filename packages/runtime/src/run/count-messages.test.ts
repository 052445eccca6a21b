import { create } from '@bufbuild/protobuf';
import { messageTokens } from '@bulkhead/agent';
import { assistantMessage, toolMessage, userMessage } from '@bulkhead/log/session/message-view';
import { AssistantMessageSchema, ToolMessageSchema } from '@bulkhead/protocol/chat';
import { expect, it } from 'vitest';
import { countMessages } from './count-messages.ts';

const messages = [
  userMessage('ask', [
    { $typeName: 'bulkhead.chat.v1.Image', mediaType: 'image/png', data: new Uint8Array(9) },
  ]),
  assistantMessage(
    create(AssistantMessageSchema, {
      parts: [
        { part: { case: 'thinking', value: { text: 'hm' } } },
        { part: { case: 'text', value: { text: 'say' } } },
        { part: { case: 'toolCall', value: { callId: '1', name: 'read', argumentsJson: '{}' } } },
      ],
    }),
  ),
  toolMessage(create(ToolMessageSchema, { callId: '1', name: 'read', text: 'x'.repeat(700) })),
];
const signal = new AbortController().signal;

it('counts every text by the tokenizer, and estimates only what is none [K6]', async () => {
  const asked: string[] = [];
  const counter = {
    count: async (texts: readonly string[]) => {
      asked.push(...texts);
      return texts.map(() => 1_000);
    },
  };
  const counts = await countMessages(messages, counter, signal);
  expect(asked).toEqual(['ask', 'sayhmread{}', 'x'.repeat(700)]);
  expect(counts[0]).toBe(1_000 + 6 + 1_500);
  expect(counts[2]).toBe(1_000 + 6);
});

it('estimates where the tokenizer fails, and ends with its signal', async () => {
  const counter = { count: () => Promise.reject(new Error('no thread')) };
  expect(await countMessages(messages, counter, signal)).toEqual(messages.map(messageTokens));
  expect(await countMessages(messages, undefined, signal)).toEqual(messages.map(messageTokens));
  await expect(countMessages(messages, counter, AbortSignal.abort())).rejects.toThrow('abort');
});

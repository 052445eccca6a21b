import { create } from '@bufbuild/protobuf';
import { assistantMessage, toolMessage, userMessage } from '@bulkhead/log/session/message-view';
import { AssistantMessageSchema, ToolMessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { checkedCompaction } from './checked-compaction.ts';

const call = {
  part: { case: 'toolCall', value: { callId: 'c', name: 'read', argumentsJson: '{}' } },
} as const;
const messages = [
  userMessage('q'.repeat(500)),
  assistantMessage(create(AssistantMessageSchema, { parts: [call] })),
  toolMessage(create(ToolMessageSchema, { callId: 'c', name: 'read', text: 'r'.repeat(500) })),
  userMessage('next'),
  assistantMessage(create(AssistantMessageSchema)),
];
const old = { messages, entryIds: ['a', 'b', 'c', 'd', 'e'], earlierSummary: '', rules: [] };
const room = { keepTokens: 100, messageTokens: [140, 300, 100, 5, 5] };

describe('the check of a proposed compaction', () => {
  const check = (summary: string, replaced: number) =>
    checkedCompaction({ summary, asked: ['a'], replaced, byRule: false }, old, room);

  it('is one that is smaller and begins where a conversation may', () => {
    expect(check('short', 3)).toEqual({ summary: 'short', asked: ['a'], keptFrom: 'd', byRule: false });
  });

  it.each([
    ['parts a call from its result', 'short', 2],
    ['keeps nothing', 'short', 5],
    ['names a message that is not there', 'short', 99],
    ['replaces nothing', 'short', 0],
    ['says nothing', ' \n', 3],
    ['is larger than what it stands for', 'x'.repeat(1_100), 3],
    ['keeps more than may be kept', 'short', 1],
  ])('is not one that %s, whatever the agent says [K2]', (_what, summary, replaced) => {
    expect(check(summary, replaced)).toBeUndefined();
  });
});

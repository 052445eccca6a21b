import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { AssistantPartSchema } from '../gen/bulkhead/chat/v1/chat_pb.ts';
import { BranchEntrySchema } from '../gen/bulkhead/client/v1/sessions_pb.ts';
import { branchEvents } from './branch-events.ts';

const answer = (...parts: MessageInitShape<typeof AssistantPartSchema>[]) =>
  create(BranchEntrySchema, {
    entryId: 'e',
    sessionId: 's',
    time: 't',
    message: { role: { case: 'assistant', value: { parts } } },
  });

describe('an entry as events', () => {
  it('tells what an answer thought, said and called, as its events did', () => {
    const entry = answer(
      { part: { case: 'thinking', value: { text: 'let me see' } } },
      { part: { case: 'text', value: { text: 'well' } } },
      { part: { case: 'toolCall', value: { callId: 'c', name: 'read', argumentsJson: '{"path":"a"}' } } },
    );
    const place = { seq: 0, time: 't', session: 's', turn: '' };
    expect(branchEvents(entry)).toEqual([
      { ...place, type: 'message_end', role: 'assistant', entry: 'e', text: 'well', thinking: 'let me see' },
      { ...place, type: 'tool_call', call: 'c', tool: 'read', arguments: { path: 'a' } },
    ]);
  });

  it('has no thoughts where there were none, and no arguments where a model wrote no JSON', () => {
    const broken = { callId: 'c', name: 'read', argumentsJson: '{' };
    const [message, call] = branchEvents(answer({ part: { case: 'toolCall', value: broken } }));
    expect(message).not.toHaveProperty('thinking');
    expect(call).toMatchObject({ arguments: null });
  });
});

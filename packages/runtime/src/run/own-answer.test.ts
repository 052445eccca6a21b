import { create } from '@bufbuild/protobuf';
import { NOTICES, withNotice } from '@bulkhead/agent';
import { userMessage } from '@bulkhead/log/session/message-view';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { ownAnswer } from './own-answer.ts';

const says = (text: string): Message =>
  create(MessageSchema, {
    role: { case: 'assistant', value: { parts: [{ part: { case: 'text', value: { text } } }] } },
  });

describe('ownAnswer', () => {
  const run = [userMessage('hi'), says('first half, '), says('second half')];

  it('is what the model said, whatever the agent claims [P5]', () => {
    expect(ownAnswer(run, 'first half, second half')).toBe('first half, second half');
    expect(ownAnswer(run, 'FORGED')).toBe('first half, second half');
    expect(ownAnswer(run, 'first half, second half FORGED')).toBe('first half, second half');
    expect(ownAnswer([userMessage('hi')], 'FORGED')).toBe('');
  });

  it('lets the agent add the notices it has, and no other', () => {
    for (const notice of NOTICES) {
      const said = withNotice('first half, second half', notice);
      expect(ownAnswer(run, said)).toBe(said);
    }
    expect(ownAnswer(run, withNotice('first half, second half', '[all is well]'))).toBe(
      'first half, second half',
    );
  });
});

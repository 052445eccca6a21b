import { messageTokens } from '@bulkhead/agent';
import { userMessage } from '@bulkhead/log/session/message-view';
import { expect, it } from 'vitest';
import { compactRequest } from './compact-request.ts';
import type { CompactionWishes } from './compactor.ts';

const messages = ['a', 'b', 'c'].map((letter) => userMessage(letter.repeat(3_500)));
const conversation = { messages, entryIds: ['1', '2', '3'], earlierSummary: '', rules: [] };
const estimates = messages.map(messageTokens);
const sum = (tokens: readonly number[]) => tokens.reduce((total, each) => total + each, 0);

function tokensOf(counted: number): readonly number[] {
  const wishes: CompactionWishes = {
    instructions: '',
    budget: 100_000,
    counted,
    ownMessages: [],
    choice: { model: '', baseUrl: '' },
  };
  const how = { keep: 0.3, tokens: estimates, window: 50_000, facts: false };
  return compactRequest(conversation, wishes, how).messageTokens;
}

it('shares what the provider counted out over the messages, and the estimates where it counted nothing [K6]', () => {
  expect(sum(tokensOf(4_500))).toBeGreaterThanOrEqual(4_500);
  expect(sum(tokensOf(4_500))).toBeLessThan(4_504);
  expect(tokensOf(0)).toEqual(estimates);
  // A count of something else, such as of a summary that is no message, bends no message out of shape.
  expect(sum(tokensOf(1))).toBeGreaterThanOrEqual(sum(estimates) / 2);
  expect(sum(tokensOf(1_000_000))).toBeLessThanOrEqual(sum(estimates) * 2 + 3);
});

import { create } from '@bufbuild/protobuf';
import { NO_USAGE } from '@bulkhead/log/session/message-view';
import { AssistantMessageSchema, ToolCallSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { Round } from './round.ts';

const roundOf = (number: number, answer: ConstructorParameters<typeof Round>[1]) =>
  new Round(number, answer, NO_USAGE, 'tool_calls');

const call = (callId: string, name = 'read', argumentsJson = '{"path":"a"}') =>
  create(ToolCallSchema, { callId, name, argumentsJson });

const answer = (...calls: ReturnType<typeof call>[]) =>
  create(AssistantMessageSchema, {
    parts: calls.map((value) => ({ part: { case: 'toolCall' as const, value } })),
  });

describe('Round', () => {
  it('takes the calls the model made, once each [P5]', () => {
    const round = roundOf(1, answer(call('1'), call('2')));
    round.propose(call('1'));
    expect(() => round.propose(call('1'))).toThrow('twice');
    round.answer('1');
    expect(round.unanswered().map(({ callId }) => callId)).toEqual(['2']);
    expect(round.finished).toBe(false);
    round.propose(call('2'));
    round.answer('2');
    expect(round.finished).toBe(true);
  });

  it.each([
    ['an id the model did not give', call('9')],
    ['another tool', call('1', 'bash')],
    ['other arguments', call('1', 'read', '{"path":"b"}')],
  ])('refuses %s [P5]', (_what, forged) => {
    const round = roundOf(1, answer(call('1')));
    expect(() => round.propose(forged)).toThrow('did not make');
  });

  it('refuses answers whose calls can not be distinguished', () => {
    expect(() => roundOf(1, answer(call('1'), call('1')))).toThrow('same id');
    expect(() => roundOf(1, answer(call('')))).toThrow('or none');
  });

  it.each([
    ['id', call('x'.repeat(1_000))],
    ['name', call('1', 'x'.repeat(1_000))],
    ['nesting', call('1', 'read', '['.repeat(200_000))],
  ])('refuses a monstrous %s', (_what, monster) => {
    expect(() => roundOf(1, answer(monster))).toThrow('monstrous');
  });

  it('is finished at once without calls', () => {
    expect(roundOf(1, answer()).finished).toBe(true);
  });
});

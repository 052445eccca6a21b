import { create } from '@bufbuild/protobuf';
import type { Reply } from '@bulkhead/home/testing';
import type { ToolResult } from '@bulkhead/protocol';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';
import { repeatedNote } from './repeated-calls.ts';

type Call = readonly [name: string, args: object, result: string, failed?: boolean];

let count = 0;

function next(): number {
  count += 1;
  return count;
}

function round(...calls: readonly Call[]): Message[] {
  const named = calls.map((call) => ({ call, callId: `c${next()}` }));
  const parts = named.map(({ call: [name, args], callId }) => ({
    part: { case: 'toolCall' as const, value: { callId, name, argumentsJson: JSON.stringify(args) } },
  }));
  const answer = create(MessageSchema, { role: { case: 'assistant', value: { parts } } });
  const results = named.map(({ call: [name, , text, isError = false], callId }) =>
    create(MessageSchema, { role: { case: 'tool', value: { callId, name, text, isError } } }),
  );
  return [answer, ...results];
}

function user(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}

function times(count: number, ...rounds: readonly (() => Message[])[]): Message[] {
  return Array.from({ length: count }, () => rounds.flatMap((one) => one())).flat();
}

function verdict(messages: readonly Message[]): 'nothing' | 'note' | 'stop' {
  try {
    return repeatedNote([user('go'), ...messages], 'ses-1') === undefined ? 'nothing' : 'note';
  } catch {
    return 'stop';
  }
}

const look = () => round(['bash', { command: 'cat log' }, 'nothing yet']);
const fail = () => round(['bash', { command: 'make' }, `exit status 2 after ${next()} ms`, true]);
const edit = () => round(['edit', { path: 'a', old: 'x', new: 'y' }, 'done']);

describe('rounds that repeat [L1]', () => {
  it.each([
    ['the same call with the same result', look, 4, 10],
    ['a failed call, whatever its words', fail, 3, 6],
    ['two calls that alternate', () => [...look(), ...edit()], 4, 10],
    ['two failures that alternate', () => [...fail(), ...round(['read', { path: 'q' }, 'no', true])], 3, 6],
    ['a batch', () => round(['read', { path: 'a' }, 'one'], ['read', { path: 'b' }, 'two']), 4, 10],
  ] as const)('tell the model, then end the run: %s', (_title, one, warn, stop) => {
    expect(verdict(times(warn - 1, one))).toBe('nothing');
    expect(verdict(times(warn, one))).toBe('note');
    expect(verdict(times(stop - 1, one))).toBe('note');
    expect(verdict(times(stop, one))).toBe('stop');
  });

  it('leave ordinary work alone: tests between edits, a result that changes, a file read in parts', () => {
    const other = () => round(['edit', { path: 'a', old: String(next()), new: 'y' }, 'done']);
    expect(verdict(times(30, fail, other))).toBe('nothing');
    expect(verdict(times(30, () => round(['bash', { command: 'date' }, String(next())])))).toBe('nothing');
    expect(verdict(times(30, () => round(['read', { path: 'a', offset: next() }, 'same'])))).toBe('nothing');
    expect(verdict([])).toBe('nothing');
  });

  it('begin anew with a message of the person', () => {
    expect(verdict([...times(9, look), user('wait for it'), ...times(3, look)])).toBe('nothing');
    expect(verdict([...times(9, look), user('wait for it'), ...times(10, look)])).toBe('stop');
  });

  it('end with the reason, and with the command that continues the session', () => {
    const run = [user('go'), ...times(6, fail)];
    expect(() => repeatedNote(run, 'ses-1')).toThrow('repeated the same calls 6 times in a row');
    try {
      repeatedNote(run, 'ses-1');
    } catch (error) {
      expect(error).toMatchObject({ code: 'round_limit', fix: expect.stringContaining('--session ses-1') });
    }
  });
});

describe('a run whose rounds repeat', () => {
  const again: Reply = { calls: [['read', { path: 'a' }]] };

  async function played(act: () => ToolResult) {
    const test = sessionStage({ replies: Array.from({ length: 30 }, () => again), act });
    const id = test.create();
    test.send(id, 'm1');
    await test.settle();
    return { test, id, last: test.asked.map(({ call }) => JSON.stringify(call.messages.at(-1))) };
  }

  it('tells the model, ends with outcome limit, and keeps what was done [L1, L6]', async () => {
    const { test, id, last } = await played(() => ({ text: 'the same', isError: false }));
    const told = last.map((message) => message.includes('Do not repeat them'));
    expect(told).toEqual([false, false, false, false, true, true, true, true, true, true]);
    expect(test.settled(id)).toMatchObject([
      {
        outcome: 'limit',
        error: { code: 'round_limit', message: expect.stringContaining(`--session ${id}`) },
      },
    ]);
    expect(test.history(id).join()).toContain('the same');
    expect(test.history(id).join()).not.toContain('Do not repeat them');
  });

  it('goes on while results change [L1]', async () => {
    const { test, id } = await played(() => ({ text: `line ${next()}`, isError: false }));
    expect(test.asked).toHaveLength(26);
    expect(test.settled(id)).toMatchObject([{ outcome: 'limit' }]);
    expect(test.settled(id)[0]).not.toHaveProperty('error');
  });
});

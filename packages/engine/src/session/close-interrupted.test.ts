import { create } from '@bufbuild/protobuf';
import { AssistantMessageSchema, StopReason, ToolCallSchema, UsageSchema } from '@bulkhead/protocol/chat';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { RunJournal } from '../run/run-journal.ts';
import { closeInterrupted } from './close-interrupted.ts';
import { SessionLog } from './session-log.ts';

const call = create(ToolCallSchema, { callId: '1', name: 'bash', argumentsJson: '{"command":"x"}' });
const answer = create(AssistantMessageSchema, { parts: [{ part: { case: 'toolCall', value: call } }] });

function started() {
  let next = 0;
  const clock = { now: () => 1_000, monotonic: () => 0 };
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/work', time: 1_000 });
  const ids = () => {
    next += 1;
    return `entry-${next}`;
  };
  const log = new SessionLog({ store, clock, ids });
  store.append('s', [
    { time: 1, turn: '', type: 'input_accepted', visible: false, body: { content: 'hi' }, messageId: 'm' },
  ]);
  const run = new RunJournal({
    log,
    clock,
    sessionId: 's',
    runId: 'r',
    messageId: 'm',
    model: 'p/m',
    free: false,
    leaf: null,
  });
  const close = () => store.openInputs().map((open) => closeInterrupted(log, open, 2_000));
  const types = () => log.eventsAfter('s', 0, 1_000).map(({ type }) => type);
  return { run, log, store, close, types };
}

describe('closeInterrupted', () => {
  it('leaves a message that was never started to be run', () => {
    const { close, store } = started();
    expect(close()).toEqual([false]);
    expect(store.openInputs()).toHaveLength(1);
  });

  it('ends every open action, call and round, and settles the message as failed', () => {
    const { run, close, types, store, log } = started();
    run.start('hi');
    run.startRound();
    run.answer(answer, StopReason.TOOL_CALLS, create(UsageSchema));
    run.publish({ type: 'action_started', action: 'a', call: '1', tool: 'bash', hash: 'h' });
    expect(close()).toEqual([true]);
    expect(types().slice(-7)).toEqual([
      'action_completed',
      'tool_output',
      'turn_end',
      'error',
      'save_point',
      'agent_end',
      'settled',
    ]);
    expect(store.openInputs()).toHaveLength(0);
    const { messages } = log.history('s');
    expect(messages.map(({ role }) => role.case)).toEqual(['user', 'assistant', 'tool']);
  });

  it('withdraws an open question: what waited for approval was not done [A6]', () => {
    const { run, close, log } = started();
    const action = { action: 'a', hash: 'h' };
    run.start('hi');
    run.startRound();
    run.answer(answer, StopReason.TOOL_CALLS, create(UsageSchema));
    run.publish(
      { type: 'action_started', ...action, call: '1', tool: 'bash' },
      {
        type: 'approval_requested',
        ...action,
        approval: 'q',
        tool: 'bash',
        shown: '',
        reason: '',
        expires: '',
      },
    );
    const before = log.eventsAfter('s', 0, 1_000).length;
    close();
    const [decided, completed, output] = log
      .eventsAfter('s', before, 1_000)
      .map(({ json }) => JSON.parse(json));
    expect(decided).toMatchObject({
      type: 'approval_decided',
      approval: 'q',
      decision: 'deny',
      by: 'cancel',
    });
    expect(completed).toMatchObject({ type: 'action_completed', success: false, summary: 'it was not done' });
    expect(output).toMatchObject({ type: 'tool_output', text: expect.stringContaining('not done') });
  });

  it('ends a message that was being streamed', () => {
    const { run, close, types } = started();
    run.start('hi');
    run.startRound();
    close();
    expect(types().slice(3)).toEqual([
      'turn_start',
      'message_start',
      'message_end',
      'turn_end',
      'error',
      'save_point',
      'agent_end',
      'settled',
    ]);
  });
});

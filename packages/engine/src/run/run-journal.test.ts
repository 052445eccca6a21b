import { create } from '@bufbuild/protobuf';
import type { SessionEvent } from '@bulkhead/protocol';
import { AssistantMessageSchema, StopReason, ToolCallSchema, UsageSchema } from '@bulkhead/protocol/chat';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { inCallOrder } from '../session/message-view.ts';
import { SessionLog } from '../session/session-log.ts';
import { RunJournal } from './run-journal.ts';

function journal() {
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
  const events = () => log.eventsAfter('s', 0, 1_000).map(({ json }): SessionEvent => JSON.parse(json));
  return { run, events, log, types: () => events().map(({ type }) => type) };
}

const usage = create(UsageSchema, { inputTokens: 10, outputTokens: 2 });
const call = (callId: string) =>
  create(ToolCallSchema, { callId, name: 'read', argumentsJson: '{"path":"a"}' });
const calling = (...ids: string[]) =>
  create(AssistantMessageSchema, {
    parts: ids.map((id) => ({ part: { case: 'toolCall' as const, value: call(id) } })),
  });
const saying = (text: string) =>
  create(AssistantMessageSchema, { parts: [{ part: { case: 'text', value: { text } } }] });

describe('RunJournal', () => {
  it('writes a run in the grammar of events, exactly one settled at its end [T6]', () => {
    const { run, types, events } = journal();
    run.start('hi');
    run.startRound();
    const round = run.answer(calling('1'), StopReason.TOOL_CALLS, usage);
    run.toolOutput(round, call('1'), { text: 'content', isError: false });
    run.startRound();
    run.answer(saying('done'), StopReason.STOP, usage);
    run.finish({ outcome: 'completed', answer: 'done', thoughts: [] });
    expect(types()).toEqual([
      'agent_start',
      'message_start',
      'message_end',
      'turn_start',
      'message_start',
      'message_end',
      'tool_call',
      'tool_output',
      'turn_end',
      'turn_start',
      'message_start',
      'message_end',
      'turn_end',
      'response_complete',
      'save_point',
      'agent_end',
      'settled',
    ]);
    expect(events().map(({ seq }) => seq)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    expect(events().at(-1)).toMatchObject({
      outcome: 'completed',
      rounds: 2,
      usage: { inputTokens: 20 },
      cost: null,
    });
  });

  it('shows a round to history only when all its calls are answered [S3]', () => {
    const { run, log } = journal();
    run.start('hi');
    run.startRound();
    const round = run.answer(calling('1', '2'), StopReason.TOOL_CALLS, usage);
    expect(log.history('s').messages).toHaveLength(1);
    run.toolOutput(round, call('2'), { text: 'b', isError: false });
    expect(log.history('s').messages).toHaveLength(1);
    run.toolOutput(round, call('1'), { text: 'a', isError: false });
    const history = log.history('s').messages;
    expect(history).toHaveLength(4);
    expect(
      inCallOrder(history).map(
        ({ role }) => role.value?.$typeName === 'bulkhead.chat.v1.ToolMessage' && role.value.text,
      ),
    ).toEqual([false, false, 'a', 'b']);
  });

  it('closes a round that gave no answer, and keeps it out of the conversation', () => {
    const { run, types, log } = journal();
    run.start('hi');
    run.startRound();
    run.failRound();
    run.failRound();
    expect(types().slice(3)).toEqual(['turn_start', 'message_start', 'message_end', 'turn_end']);
    expect(log.history('s').messages).toHaveLength(1);
  });
});

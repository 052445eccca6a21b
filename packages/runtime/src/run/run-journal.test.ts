import { create } from '@bufbuild/protobuf';
import { inCallOrder } from '@bulkhead/log/session/message-view';
import { AssistantMessageSchema, StopReason, ToolCallSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { CALL, runStage } from '../testing/run-stage.ts';

function journal() {
  const { journal: run, ...stage } = runStage();
  return { run, ...stage };
}

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
    run.startRound('p/m');
    const round = run.answer(calling('1'), StopReason.TOOL_CALLS, CALL);
    run.toolOutput(round, call('1'), { text: 'content', isError: false });
    run.startRound('p/m');
    run.answer(saying('done'), StopReason.STOP, CALL);
    run.finish({ outcome: 'completed', answer: 'done', thoughts: [] });
    expect(types()).toEqual([
      'agent_start',
      'state_change',
      'message_start',
      'message_end',
      'turn_start',
      'message_start',
      'message_end',
      'tool_call',
      'state_change',
      'tool_output',
      'turn_end',
      'state_change',
      'turn_start',
      'message_start',
      'message_end',
      'turn_end',
      'response_complete',
      'save_point',
      'agent_end',
      'state_change',
      'settled',
    ]);
    expect(events().map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    expect(events().at(-1)).toMatchObject({
      outcome: 'completed',
      rounds: 2,
      usage: { inputTokens: 20 },
      cost: null,
    });
  });

  it('shows a round to history only when all its calls are answered [S3]', () => {
    const { run, history } = journal();
    run.startRound('p/m');
    const round = run.answer(calling('1', '2'), StopReason.TOOL_CALLS, CALL);
    expect(history()).toHaveLength(1);
    run.toolOutput(round, call('2'), { text: 'b', isError: false });
    expect(history()).toHaveLength(1);
    run.toolOutput(round, call('1'), { text: 'a', isError: false });
    const shown = history();
    expect(shown).toHaveLength(4);
    expect(
      inCallOrder(shown).map(
        ({ role }) => role.value?.$typeName === 'bulkhead.chat.v1.ToolMessage' && role.value.text,
      ),
    ).toEqual([false, false, 'a', 'b']);
  });

  it('closes a round that gave no answer, and keeps it out of the conversation', () => {
    const { run, types, history } = journal();
    run.startRound('p/m');
    run.failRound();
    run.failRound();
    expect(types().slice(4)).toEqual(['turn_start', 'message_start', 'message_end', 'turn_end']);
    expect(history()).toHaveLength(1);
  });
});

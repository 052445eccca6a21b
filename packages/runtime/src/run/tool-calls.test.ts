import { create } from '@bufbuild/protobuf';
import type { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import { noLabels } from '@bulkhead/actions/testing';
import type { AgentPool } from '@bulkhead/processes/pools/agent-pool';
import { AssistantMessageSchema, StopReason, type ToolCall, ToolCallSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { CALL, runStage } from '../testing/run-stage.ts';
import type { RunServices } from './run-setting.ts';
import { ToolCalls } from './tool-calls.ts';

const call = (callId: string, name: string, argumentsJson = '{}') =>
  create(ToolCallSchema, { callId, name, argumentsJson });
const never = new AbortController().signal;

/** A round of `made` calls, and a pipeline that notes what is under way. */
function stage(...made: ToolCall[]) {
  return stageOf(StopReason.TOOL_CALLS, made);
}

function stageOf(stopReason: StopReason, made: readonly ToolCall[]) {
  const base = runStage();
  base.journal.startRound('p/m');
  const answer = create(AssistantMessageSchema, {
    parts: made.map((value) => ({ part: { case: 'toolCall' as const, value } })),
  });
  const round = base.journal.answer(answer, stopReason, CALL);
  const order: string[] = [];
  const pipeline = {
    run: async ({ callId }: { callId: string }) => {
      order.push(`+${callId}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`-${callId}`);
      const completed = { type: 'save_point' } as const;
      return { result: { text: 'done', isError: false }, refused: callId === 'refused', completed };
    },
  } as unknown as ActionPipeline;
  const agents = {} as AgentPool;
  const ended: unknown[] = [];
  const calls = new ToolCalls(
    {
      context: base,
      processes: { agents },
      actions: { pipeline, tools: base.tools, labels: noLabels },
    } as unknown as RunServices,
    base.setting,
    base.journal,
    () => ended.push(base.sent.length),
  );
  const begin = (one: ToolCall) => calls.begin(round, one, base.agent, never);
  return { ...base, calls, round, order, begin, ended };
}

describe('ToolCalls', () => {
  it('runs calls that may change something one after the other, whatever the agent does [L4]', async () => {
    const [a, b] = [call('a', 'write'), call('b', 'bash')];
    const { begin, order } = stage(a, b);
    await Promise.all([begin(a), begin(b)]);
    expect(order).toEqual(['+a', '-a', '+b', '-b']);
  });

  it('runs read-only calls side by side [L4]', async () => {
    const [a, b] = [call('a', 'read'), call('b', 'ls')];
    const { begin, order } = stage(a, b);
    await Promise.all([begin(a), begin(b)]);
    expect(order.slice(0, 2)).toEqual(['+a', '+b']);
  });

  it('does not make a call that the output limit cut, and says how to write in parts [L6]', async () => {
    const cut = call('b', 'write', '{"path":"a","content":"the first half of');
    const { begin, order, sent } = stageOf(StopReason.LENGTH, [call('a', 'bash'), cut]);
    await begin(call('a', 'bash'));
    await begin(cut);
    expect(order).toEqual(['+a', '-a']);
    const [, told] = sent.flatMap((one) => (one.case === 'toolResult' ? [one.value.result] : []));
    expect(told?.isError).toBe(true);
    expect(told?.text).toContain('was cut off: the answer reached the output limit');
    expect(told?.text).toContain(`${cut.argumentsJson.length} characters`);
    expect(told?.text).toContain('the first half of');
    expect(told?.text).toContain('in parts');
    expect(told?.text).not.toContain('JSON');
  });

  it('makes a whole call of a cut answer, and leaves other broken arguments to the pipeline [L6]', async () => {
    const whole = stageOf(StopReason.LENGTH, [call('a', 'bash', '{"command":"ls"}')]);
    await whole.begin(call('a', 'bash', '{"command":"ls"}'));
    expect(whole.order).toEqual(['+a', '-a']);
    const broken = stageOf(StopReason.TOOL_CALLS, [call('a', 'bash', '{"command')]);
    await broken.begin(call('a', 'bash', '{"command'));
    expect(broken.order).toEqual(['+a', '-a']);
  });

  it('answers a call of load_tools, once, with the groups that the model named [L3]', async () => {
    const loading = call('a', 'load_tools', '{"groups":["shell"]}');
    const { begin, sent, setting } = stage(loading);
    await begin(loading);
    expect(sent).toMatchObject([
      { case: 'toolResult', value: { result: { text: 'Loaded: bash.', ownWords: true }, sideBySide: [] } },
    ]);
    expect(setting.loaded.has('bash')).toBe(true);
    expect(() => begin(loading)).toThrow('twice');
  });

  it('loads nothing for a call with other groups than the model named [P5]', () => {
    const { begin, types } = stage(call('a', 'load_tools', '{"groups":["files"]}'));
    expect(() => begin(call('a', 'load_tools', '{"groups":["shell"]}'))).toThrow('did not make');
    expect(types()).not.toContain('tool_output');
  });

  it('tells of the end of a round before the agent hears of its last result, so that it hears of steers first [L8]', async () => {
    const [a, b] = [call('a', 'write'), call('b', 'bash')];
    const { begin, ended, sent } = stage(a, b);
    await Promise.all([begin(a), begin(b)]);
    expect(ended).toEqual([1]);
    expect(sent).toHaveLength(2);
  });

  it('counts the last call in the model’s order, not the last to finish, for a run that was refused', async () => {
    const [a, b] = [call('refused', 'read'), call('b', 'ls')];
    const { begin, calls, round } = stage(a, b);
    await Promise.all([begin(b), begin(a)]);
    expect(calls.refusedLast(round)).toBe(false);
  });
});

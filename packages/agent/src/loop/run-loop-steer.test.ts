import { RequestNote, RunEnd } from '@bulkhead/protocol/agent';
import { StopReason } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import {
  answer,
  answered,
  asShown,
  assistantMessage,
  processRequest,
  toolMessage,
  userMessage,
} from '../testing/messages.ts';
import { ScriptedCaller } from '../testing/scripted-caller.ts';
import { LIMIT_NOTE } from './notices.ts';

const A = { id: 'a', name: 'write' };
const B = { id: 'b', name: 'write' };

describe('runLoop: what a person says meanwhile', () => {
  it('joins the run after all results of the batch, in order [L8]', async () => {
    const caller = new ScriptedCaller({
      models: [answered(answer('so', A, B), StopReason.TOOL_CALLS)],
      steers: ({ callId }) => (callId === 'a' ? ['left'] : ['no, right', 'and slowly']),
    });
    expect(await caller.run(processRequest())).toMatchObject({ content: 'done', end: RunEnd.COMPLETED });
    const joined = [
      userMessage('do it'),
      assistantMessage('so', A, B),
      toolMessage('a', 'write', 'result of a'),
      toolMessage('b', 'write', 'result of b'),
      userMessage('left'),
      userMessage('no, right'),
      userMessage('and slowly'),
    ];
    expect(caller.requests[1]?.messages).toEqual(asShown(joined));
  });

  it('keeps a run going whose results all say that it may end [L8] [L6]', async () => {
    const script = {
      models: [answered(answer('so', A), StopReason.TOOL_CALLS)],
      terminate: () => true,
    };
    const unsteered = new ScriptedCaller(script);
    expect(await unsteered.run(processRequest())).toMatchObject({ end: RunEnd.TERMINATED });
    expect(unsteered.requests).toHaveLength(1);
    const steered = new ScriptedCaller({ ...script, steers: () => ['wait'] });
    expect(await steered.run(processRequest())).toMatchObject({ content: 'done', end: RunEnd.COMPLETED });
    expect(steered.requests[1]?.messages.at(-1)).toEqual(userMessage('wait'));
  });

  it('is taken into account in the last answer of a run whose rounds are used up [L8] [L6]', async () => {
    const caller = new ScriptedCaller({
      models: [answered(answer(A), StopReason.TOOL_CALLS), answered(answer('bye'))],
      steers: () => ['wait'],
    });
    const end = await caller.run(processRequest({ maxRounds: 1 }));
    expect(end).toMatchObject({ content: 'bye', end: RunEnd.LIMIT });
    expect(caller.requests[1]?.messages.slice(-2)).toEqual([userMessage('wait'), userMessage(LIMIT_NOTE)]);
  });

  it('joins the calls that another process left open, too [L8]', async () => {
    const caller = new ScriptedCaller({ models: [], steers: () => ['wait'], terminate: () => true });
    const run = [userMessage('do it'), assistantMessage(A, B), toolMessage('b', 'write', 'done')];
    await caller.run(processRequest({ run, roundsUsed: 1 }));
    const results = [toolMessage('a', 'write', 'result of a'), toolMessage('b', 'write', 'done')];
    const joined = [...run.slice(0, 2), ...results, userMessage('wait')];
    expect(caller.requests[0]?.messages).toEqual(asShown(joined));
  });
});

describe('runLoop: a run that ends in what a person said', () => {
  it.each([
    ['after an answer', [userMessage('q'), assistantMessage('first'), userMessage('more')]],
    [
      'after results',
      [userMessage('q'), assistantMessage(A), toolMessage('a', 'write', 'ok'), userMessage('more')],
    ],
    ['twice', [userMessage('q'), userMessage('more')]],
  ])('puts it to the model: %s [L8] [T8]', async (_name, run) => {
    const caller = new ScriptedCaller({ models: [answered(answer('second'))] });
    const end = await caller.run(processRequest({ run, roundsUsed: 1 }));
    expect(end).toMatchObject({ content: 'second', end: RunEnd.COMPLETED });
    expect(caller.requests.map(({ messages }) => messages)).toEqual([asShown(run)]);
    expect(caller.requests[0]?.requestId).toBe('run:2');
  });

  it.each([25, 26])(
    'has the last answer given if %i of 25 rounds are used up [L8] [L6]',
    async (roundsUsed) => {
      const run = [userMessage('q'), assistantMessage('first'), userMessage('more')];
      const caller = new ScriptedCaller({ models: [answered(answer('bye'))] });
      const end = await caller.run(processRequest({ run, roundsUsed }));
      expect(end).toMatchObject({ content: 'bye', end: RunEnd.LIMIT });
      expect(caller.requests).toHaveLength(1);
      expect(caller.requests[0]).toMatchObject({
        note: RequestNote.LAST_ANSWER,
        requestId: `run:${roundsUsed + 1}`,
      });
      expect(caller.requests[0]?.messages).toEqual([...run, userMessage(LIMIT_NOTE)]);
    },
  );
});

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
import { CONTINUATION_NOTE, CUT_NOTICE, EMPTY_NOTICE, LIMIT_NOTE, STILL_CALLING_NOTICE } from './notices.ts';

const CALL = { id: 'c1', name: 'write' };

describe('runLoop: ends and stop reasons', () => {
  it('ends with the text of a reply without calls [L1] [L2] [L6]', async () => {
    const caller = new ScriptedCaller({ models: [answered(answer('Hello'))] });
    await caller.run(processRequest());
    expect(caller.events.map(({ type }) => type)).toEqual(['model_request', 'complete']);
    expect(caller.end).toEqual({ type: 'complete', content: 'Hello', thoughts: [], end: RunEnd.COMPLETED });
    expect(caller.requests[0]?.requestId).toBe('run:1');
  });

  it('tells what it does in four kinds of event, none of which has words of the model [L2]', async () => {
    const failed = { code: 'rate_limit', message: 'slow down' };
    const said = answer('I will look.', CALL);
    const ends = [
      [answered(answer('There it is.')), 'complete'],
      [{ case: 'failed' as const, value: failed }, 'error'],
    ] as const;
    const heard: object[] = [];
    for (const [end, type] of ends) {
      const caller = new ScriptedCaller({ models: [answered(said, StopReason.TOOL_CALLS), end] });
      await caller.run(processRequest());
      heard.push(...caller.events);
      const types = caller.events.map((event) => event.type);
      expect(types).toEqual(['model_request', 'tool_call', 'model_request', type]);
    }
    const text = JSON.stringify(heard, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toMatch(/I will look|There it is/);
    expect(text).toContain('slow down');
  });

  it('ends without an answer, and without an error, when the conversation has no room [L6]', async () => {
    const caller = new ScriptedCaller({ models: [{ case: 'contextFull', value: {} }] });
    expect(await caller.run(processRequest())).toMatchObject({
      type: 'complete',
      end: RunEnd.CONTEXT_FULL,
    });
    expect(caller.requests).toHaveLength(1);
  });

  it.each([StopReason.STOP, StopReason.TOOL_CALLS, StopReason.OTHER, StopReason.UNSPECIFIED, 99])(
    'completes on stop reason %s without calls [L6]',
    async (stopReason) => {
      const caller = new ScriptedCaller({ models: [answered(answer('all'), stopReason)] });
      expect(await caller.run(processRequest())).toMatchObject({ content: 'all', end: RunEnd.COMPLETED });
      expect(caller.requests).toHaveLength(1);
    },
  );

  it.each([
    [StopReason.CONTENT_FILTER, 'content_blocked'],
    [StopReason.ERROR, 'unknown_provider_error'],
  ])('ends with an error on stop reason %s, calls or not [L6]', async (stopReason, code) => {
    for (const message of [answer('x'), answer(CALL)]) {
      const caller = new ScriptedCaller({ models: [answered(message, stopReason)] });
      expect(await caller.run(processRequest())).toMatchObject({ type: 'error', code });
      expect(caller.proposed).toEqual([]);
      expect(caller.requests).toHaveLength(1);
    }
  });

  it('keeps the code of a model failure [L2]', async () => {
    const failed = { code: 'rate_limit', message: 'slow down' };
    const caller = new ScriptedCaller({ models: [{ case: 'failed', value: failed }] });
    expect(await caller.run(processRequest())).toEqual({
      type: 'error',
      code: 'rate_limit',
      message: 'slow down',
    });
  });

  it.each([
    ['nothing', { case: undefined }],
    ['a finish without a message', { case: 'finished' as const, value: {} }],
  ])('ends with format_error when the engine answers %s', async (_name, outcome) => {
    const caller = new ScriptedCaller({ models: [outcome] });
    expect(await caller.run(processRequest())).toMatchObject({ type: 'error', code: 'format_error' });
  });

  it('says so when the answer is empty [L6]', async () => {
    const caller = new ScriptedCaller({ models: [answered(answer())] });
    expect(await caller.run(processRequest())).toMatchObject({
      content: EMPTY_NOTICE,
      end: RunEnd.COMPLETED,
    });
    expect(caller.requests).toHaveLength(1);
  });

  it('goes on once after the output limit, with a note that only the model sees [L6]', async () => {
    const caller = new ScriptedCaller({
      models: [answered(answer('one '), StopReason.LENGTH), answered(answer('two'))],
    });
    expect(await caller.run(processRequest())).toMatchObject({ content: 'one two', end: RunEnd.COMPLETED });
    expect(caller.requests.map(({ requestId }) => requestId)).toEqual(['run:1', 'run:2']);
    expect(caller.requests[1]?.messages).toEqual([
      userMessage('do it'),
      assistantMessage('one '),
      userMessage(CONTINUATION_NOTE),
    ]);
  });

  it('ends with a notice when the continuation is cut too [L6]', async () => {
    const caller = new ScriptedCaller({
      models: [answered(answer('one '), StopReason.LENGTH), answered(answer('two'), StopReason.LENGTH)],
    });
    expect(await caller.run(processRequest())).toMatchObject({
      content: `one two\n\n${CUT_NOTICE}`,
      end: RunEnd.COMPLETED,
    });
    expect(caller.requests).toHaveLength(2);
  });

  it('ends with a notice when the output limit left no text, or no round is left [L6]', async () => {
    const empty = new ScriptedCaller({ models: [answered(answer(), StopReason.LENGTH)] });
    expect(await empty.run(processRequest())).toMatchObject({ content: CUT_NOTICE });
    const last = new ScriptedCaller({ models: [answered(answer('x'), StopReason.LENGTH)] });
    expect(await last.run(processRequest({ roundsUsed: 24 }))).toMatchObject({
      content: `x\n\n${CUT_NOTICE}`,
    });
    expect([empty.requests.length, last.requests.length]).toEqual([1, 1]);
  });

  it('may go on again after a later cut, and shows earlier ones with their note [L6]', async () => {
    const caller = new ScriptedCaller({
      models: [
        answered(answer('a'), StopReason.LENGTH),
        answered(answer('b', CALL), StopReason.TOOL_CALLS),
        answered(answer('c'), StopReason.LENGTH),
        answered(answer('d')),
      ],
    });
    expect(await caller.run(processRequest())).toMatchObject({ content: 'cd' });
    expect(caller.requests[3]?.messages.map(({ role }) => role.case)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('proposes a call that the output limit cut, arguments as they are [L6]', async () => {
    const cut = { id: 'c1', name: 'write', json: '{"path": "a' };
    const caller = new ScriptedCaller({ models: [answered(answer('so', cut), StopReason.LENGTH)] });
    expect(await caller.run(processRequest())).toMatchObject({ content: 'done' });
    expect(caller.events).toContainEqual(
      expect.objectContaining({
        type: 'tool_call',
        call: expect.objectContaining({ argumentsJson: '{"path": "a' }),
      }),
    );
  });

  it.each([
    ['the same id twice', [CALL, CALL]],
    ['no id', [{ id: '', name: 'write' }]],
  ])('ends with format_error on calls with %s, before proposing any', async (_name, calls) => {
    const caller = new ScriptedCaller({ models: [answered(answer(...calls), StopReason.TOOL_CALLS)] });
    expect(await caller.run(processRequest())).toMatchObject({ type: 'error', code: 'format_error' });
    expect(caller.proposed).toEqual([]);
  });
});

describe('runLoop: rounds', () => {
  const calling = (id: string) => answered(answer({ id, name: 'write' }), StopReason.TOOL_CALLS);

  it('asks for a last answer without tools after the round limit [L1] [L6]', async () => {
    const models = [calling('a'), calling('b'), answered(answer('that is all'))];
    const caller = new ScriptedCaller({ models });
    const end = await caller.run(processRequest({ maxRounds: 2 }));
    expect(end).toMatchObject({ content: 'that is all', end: RunEnd.LIMIT });
    expect(caller.proposed).toEqual(['a', 'b']);
    const { UNSPECIFIED, LAST_ANSWER } = RequestNote;
    expect(caller.requests.map(({ note }) => note)).toEqual([UNSPECIFIED, UNSPECIFIED, LAST_ANSWER]);
    expect(caller.requests.at(-1)?.messages.at(-1)).toEqual(userMessage(LIMIT_NOTE));
  });

  it.each([
    [answer('text', CALL), StopReason.TOOL_CALLS, `text\n\n${STILL_CALLING_NOTICE}`],
    [answer(CALL), StopReason.TOOL_CALLS, STILL_CALLING_NOTICE],
    [answer('text'), StopReason.LENGTH, `text\n\n${CUT_NOTICE}`],
    [answer(), StopReason.STOP, EMPTY_NOTICE],
  ])('takes whatever the last answer is as the last word (%#) [L6]', async (message, stopReason, content) => {
    const caller = new ScriptedCaller({ models: [calling('a'), answered(message, stopReason)] });
    const end = await caller.run(processRequest({ maxRounds: 1 }));
    expect(end).toMatchObject({ content, end: RunEnd.LIMIT });
    expect(caller.proposed).toEqual(['a']);
    expect(caller.requests).toHaveLength(2);
  });

  it('counts the rounds that are used already, and takes 200 where no limit is given [L1]', async () => {
    const models = Array.from({ length: 220 }, (_, at) => calling(`c${at}`));
    const used = new ScriptedCaller({ models });
    expect(await used.run(processRequest({ roundsUsed: 23 }))).toMatchObject({ end: RunEnd.LIMIT });
    expect(used.requests.map(({ requestId }) => requestId)).toEqual(['run:24', 'run:25', 'run:26']);
    const fresh = new ScriptedCaller({ models });
    await fresh.run(processRequest({ maxRounds: 0 }));
    expect(fresh.requests).toHaveLength(201);
  });
});

describe('runLoop: going on in a new process', () => {
  const run = [
    userMessage('do it'),
    assistantMessage('first', { id: 'a', name: 'read' }, { id: 'b', name: 'write' }, { id: 'c', name: 'ls' }),
  ];

  it('answers open calls first, without a model request for them [L1]', async () => {
    const caller = new ScriptedCaller({ models: [] });
    const request = processRequest({ run: [...run, toolMessage('c', 'ls', 'files')], roundsUsed: 1 });
    await caller.run(request);
    expect(caller.events.map(({ type }) => type)).toEqual([
      'tool_call',
      'tool_call',
      'model_request',
      'complete',
    ]);
    expect(caller.proposed).toEqual(['a', 'b']);
    expect(caller.requests[0]?.requestId).toBe('run:2');
    const results = [
      toolMessage('a', 'read', 'result of a'),
      toolMessage('b', 'write', 'result of b'),
      toolMessage('c', 'ls', 'files'),
    ];
    expect(caller.requests[0]?.messages).toEqual(asShown([...run, ...results]));
  });

  it('asks the model at once if all calls have results [L1]', async () => {
    const results = ['a', 'b', 'c'].map((id) => toolMessage(id, 'x', 'r'));
    const caller = new ScriptedCaller({ models: [] });
    await caller.run(processRequest({ run: [...run, ...results], roundsUsed: 1 }));
    expect(caller.events.map(({ type }) => type)).toEqual(['model_request', 'complete']);
  });

  it('completes a run whose answer is there already, with its thoughts [L1] [L5]', async () => {
    const done = [
      userMessage('q'),
      assistantMessage('look', CALL),
      toolMessage('c1', 'write', 'ok'),
      assistantMessage('bye'),
    ];
    const caller = new ScriptedCaller({ models: [] });
    const end = await caller.run(processRequest({ run: done, roundsUsed: 2 }));
    expect(end).toMatchObject({ content: 'bye', end: RunEnd.COMPLETED });
    expect(end.type === 'complete' && end.thoughts).toHaveLength(2);
    expect(caller.events).toHaveLength(1);
  });

  it('answers open calls of the last round, then asks for the last answer [L6]', async () => {
    const caller = new ScriptedCaller({ models: [answered(answer('bye'))] });
    const end = await caller.run(processRequest({ run, roundsUsed: 25 }));
    expect(end).toMatchObject({ content: 'bye', end: RunEnd.LIMIT });
    expect(caller.proposed).toEqual(['a', 'b', 'c']);
    expect(caller.requests[0]).toMatchObject({
      requestId: 'run:26',
      note: RequestNote.LAST_ANSWER,
    });
  });

  it('does not act on calls of a last answer that was to have none [L6]', async () => {
    const caller = new ScriptedCaller({ models: [] });
    const end = await caller.run(processRequest({ run, roundsUsed: 26 }));
    expect(end).toMatchObject({ content: `first\n\n${STILL_CALLING_NOTICE}`, end: RunEnd.LIMIT });
    expect(caller.events).toHaveLength(1);
  });

  it('sees the same conversation as the process before it [L1]', async () => {
    const models = [
      answered(answer('x'), StopReason.LENGTH),
      answered(answer('y', CALL), StopReason.TOOL_CALLS),
      answered(answer('z')),
    ];
    const whole = new ScriptedCaller({ models });
    const end = await whole.run(processRequest());
    const resumed = new ScriptedCaller({ models: models.slice(2) });
    const stored = [userMessage('do it'), assistantMessage('x'), assistantMessage('y', CALL)];
    const secondEnd = await resumed.run(processRequest({ run: stored, roundsUsed: 2 }));
    expect(resumed.requests[0]).toEqual(whole.requests[2]);
    expect(secondEnd).toEqual(end);
  });
});

import { BulkheadError } from '@bulkhead/protocol';
import type { ScriptHandler } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Delivery, Talk } from './support/talk.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { waitingCommand } from './support/waiting-command.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

const steer = { delivery: Delivery.STEER };

/** Calls the waiting command for the message `slow`, and answers every other with the words it was sent last. */
const echo: ScriptHandler = (request) => {
  const messages = sentMessages(request);
  const last = messages.at(-1);
  if (last?.role === 'user' && last.text === 'slow') return { toolCalls: [waitingCommand] };
  return { text: `to ${messages.filter(({ role }) => role === 'user').at(-1)?.text}` };
};

const begun = (talk: Talk) => talk.event('tool_delta', ({ text }) => text.includes('begun'));

describe('a message that steers', () => {
  it('joins the run behind the batch it came in, before the next request [L8] [T6]', async () => {
    const server = await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    await talk.send('left', steer);
    await talk.send('right', steer);
    await talk.event('queue_update', ({ steer: waiting }) => waiting.join() === 'left,right');
    stage().write('go', '');
    const events = await talk.idleAfter('slow', 'left', 'right');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['left merged', 'right merged', 'slow completed']);
    expect(ofType(events, 'agent_start')).toHaveLength(1);
    expect(ofType(events, 'settled').at(-1)).toMatchObject({ answer: 'to right', rounds: 2 });
    const history = sentMessages(server.requests[1] ?? noRequest());
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
    expect(historyProblems(history)).toEqual([]);
    expect(stage().read('runs.log')).toBe('ran\n');
  });

  it('during the last words of an answer opens one more round of the same run [L8] [T6]', async () => {
    // Between the last words and the end of the stream there is time for a message.
    const server = await stage().model([
      { text: ['the ', 'answer'], chunkDelayMs: 150 },
      { text: 'and the rest' },
    ]);
    await using talk = await Talk.begin(stage());
    await talk.send('ask');
    // Its last letter may be held back: a secret could begin with it.
    await talk.event('text_delta', ({ text }) => text.startsWith('answ'));
    await talk.send('more', steer);
    const events = await talk.idleAfter('ask', 'more');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['more merged', 'ask completed']);
    expect(ofType(events, 'response_complete')).toMatchObject([{ text: 'and the rest' }]);
    const history = sentMessages(server.requests[1] ?? noRequest());
    expect(history.map(({ text }) => text)).toEqual(['ask', 'the answer', 'more']);
  });

  it('without a run starts one [L8]', async () => {
    await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('alone', steer);
    const events = await talk.idleAfter('alone');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['alone completed']);
  });
});

describe('messages that wait', () => {
  it('are run one after the other, in the order they came; one is cancelled and never run [L8] [T6]', async () => {
    const server = await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    for (const message of ['one', 'two', 'three', 'four']) await talk.send(message);
    expect(await talk.cancel('two')).toBe(true);
    expect(await talk.cancel('two')).toBe(false);
    expect(await talk.settled('two')).toMatchObject({ outcome: 'aborted', rounds: 0, answer: '' });
    stage().write('go', '');
    const events = await talk.idleAfter('slow', 'one', 'three', 'four');
    expect(grammarProblems(events)).toEqual([]);
    const ended = ['two aborted', 'slow completed', 'one completed', 'three completed', 'four completed'];
    expect(talk.outcomes()).toEqual(ended);
    expect(server.requests.filter(({ bodyText }) => bodyText.includes('"two"'))).toEqual([]);
  });

  it('are there after kill -9, in their order, each run once [L8] [T8]', async () => {
    const server = await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    await talk.send('one');
    await talk.send('two');
    await talk.send('left', steer);
    await stage().killEngine();
    await talk.event('run_resumed');
    stage().write('go', '');
    const events = await talk.idleAfter('slow', 'left', 'one', 'two');
    expect(talk.outcomes().toSorted()).toEqual([
      'left merged',
      'one completed',
      'slow completed',
      'two completed',
    ]);
    expect(ofType(events, 'agent_start').map(({ message }) => message)).toEqual(['slow', 'one', 'two']);
    expect(stage().read('runs.log')).toBe('ran\n');
    expect(historyProblems(sentMessages(server.requests.at(-1) ?? noRequest()))).toEqual([]);
    expect(grammarProblems(events)).toEqual([]);
  });

  it('are there after `restart`, behind the run that goes on, and clients know when none is left [L8] [T6] [P8]', async () => {
    await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    await talk.send('one');
    expect((await stage().cli(['restart'])).code).toBe(0);
    await talk.event('run_resumed');
    stage().write('go', '');
    const events = await talk.idleAfter('slow', 'one');
    expect(talk.outcomes()).toEqual(['slow completed', 'one completed']);
    expect(grammarProblems(events)).toEqual([]);
  });
});

describe('a message that interrupts', () => {
  it('cancels the run and is first in line; the others wait on [L8] [T6]', async () => {
    await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    await talk.send('later');
    await talk.send('now', { delivery: Delivery.INTERRUPT });
    const events = await talk.idleAfter('slow', 'now', 'later');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['slow aborted', 'now completed', 'later completed']);
  });
});

describe('a message that must not wait', () => {
  it('is refused while a run goes on, naming it, and leaves nothing; later it runs [T4]', async () => {
    await stage().model(echo);
    await using talk = await Talk.begin(stage());
    await talk.send('slow');
    await begun(talk);
    const invoke = { delivery: Delivery.INVOKE };
    const error = await talk.send('at once', invoke).catch((cause: unknown) => BulkheadError.from(cause));
    expect(error).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('the run for message slow'),
    });
    stage().write('go', '');
    await talk.idleAfter('slow');
    await until('it is taken', () => talk.send('at once', invoke).then(() => true));
    const events = await talk.idleAfter('at once');
    expect(grammarProblems(events)).toEqual([]);
    expect(talk.outcomes()).toEqual(['slow completed', 'at once completed']);
  });

  it('is refused once more than one asks at the same time [T4]', async () => {
    await stage().model(() => ({ text: 'yes', delayMs: 200 }));
    await using talk = await Talk.begin(stage());
    const invoke = { delivery: Delivery.INVOKE };
    const ids = ['a', 'b', 'c', 'd'];
    const sent = await Promise.allSettled(ids.map((message) => talk.send(message, invoke)));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    const taken = ids[sent.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    expect(grammarProblems(await talk.idleAfter(taken))).toEqual([]);
    expect(talk.outcomes()).toEqual([`${taken} completed`]);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}

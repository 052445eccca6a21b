import { busyness } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { Talk } from './support/talk.ts';
import { useStage } from './support/use-stage.ts';
import { offeredTools, sentMessages } from './support/wire-history.ts';

const stage = useStage();

describe('the title of a session', () => {
  it('comes by a call of its own after the third exchange, never before, and stays [T7]', async () => {
    const titles = await stage().serve([{ text: '"Three things to say."' }]);
    const chat = await stage().model(() => ({ text: 'yes' }), {
      models: `title: { provider: openai-compatible, model: t, baseUrl: '${titles.url}/v1' },`,
    });
    await using talk = await Talk.begin(stage());
    for (const message of ['one', 'two']) {
      await talk.send(message);
      await talk.idleAfter(message);
    }
    expect(titles.requests).toEqual([]);
    await talk.send('three');
    const { title } = await talk.event('session_title');
    expect(title).toBe('Three things to say');
    await talk.send('four');
    const events = await talk.idleAfter('three', 'four');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'session_title')).toHaveLength(1);
    expect(titles.requests).toHaveLength(1);
    expect(offeredTools(titles.requests[0] ?? noRequest())).toEqual([]);
    // The call is no part of the conversation.
    expect(sentMessages(chat.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual([
      ...['one', 'yes', 'two', 'yes', 'three', 'yes', 'four'],
    ]);
    const listed: { title: string }[] = JSON.parse(
      (await stage().cli(['sessions', 'list', '--json'])).stdout,
    );
    expect(listed).toMatchObject([{ title: 'Three things to say', messages: 8 }]);
  });

  it('is not waited for: answers come while its call hangs, and the engine stops in time [T7]', async () => {
    const titles = await stage().serve([{ stall: 'before-first-byte' }], { atEnd: 'repeat-last' });
    await stage().model(() => ({ text: 'yes' }), {
      models: `title: { provider: openai-compatible, model: t, baseUrl: '${titles.url}/v1' },`,
    });
    await using talk = await Talk.begin(stage());
    for (const message of ['one', 'two', 'three', 'four']) {
      await talk.send(message);
      await talk.idleAfter(message);
    }
    expect(titles.requests).toHaveLength(1);
    expect(ofType(talk.events, 'session_title')).toEqual([]);
    expect(talk.outcomes()).toEqual(['one', 'two', 'three', 'four'].map((message) => `${message} completed`));
    const began = performance.now();
    expect((await stage().cli(['stop'])).code).toBe(0);
    expect((performance.now() - began) / busyness()).toBeLessThan(5_000);
    expect(await titles.requests[0]?.disconnected).toBe(true);
  });

  it('that a person gave is not replaced, and a call that fails harms nothing [T7]', async () => {
    const titles = await stage().serve([{ error: { status: 500, message: 'no' } }], { atEnd: 'repeat-last' });
    await stage().model(() => ({ text: 'yes' }), {
      models: `title: { provider: openai-compatible, model: t, baseUrl: '${titles.url}/v1' },`,
    });
    await using talk = await Talk.begin(stage());
    for (const message of ['one', 'two', 'three', 'four']) {
      await talk.send(message);
      await talk.idleAfter(message);
    }
    expect((await stage().cli(['sessions', 'title', talk.session, 'My own'])).code).toBe(0);
    const asked = titles.requests.length;
    expect(asked).toBeGreaterThan(0);
    await talk.send('five');
    const events = await talk.idleAfter('five');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'session_title').map(({ title }) => title)).toEqual(['My own']);
    expect(titles.requests).toHaveLength(asked);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}

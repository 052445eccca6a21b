import type { SessionEvent } from '@bulkhead/protocol';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, parseEventLine, settledOf } from './support/event-lines.ts';
import { OFFLINE_TITLES, type Stage } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** One message, its run and its session. */
async function say(at: Stage, prompt: string, session?: string) {
  const { code, events } = await at.cli([
    'run',
    '--json',
    ...(session === undefined ? [] : ['--session', session]),
    prompt,
  ]);
  expect(code).toBe(0);
  return { events, session: settledOf(events).session };
}

/** Durable events of a session, as they are stored. */
async function stored(at: Stage, session: string): Promise<SessionEvent[]> {
  const { stdout } = await at.cli(['sessions', 'show', session, '--json']);
  return stdout.trimEnd().split('\n').map(parseEventLine);
}

describe('a session', () => {
  it('goes on with what was said, after a restart too, and is kept [T2, S1]', async () => {
    const server = await stage().model(
      [{ text: 'I am one.' }, { text: 'I am two.' }, { text: 'I am three.' }],
      { models: OFFLINE_TITLES },
    );
    const { session, events } = await say(stage(), 'first');
    const second = await say(stage(), 'second', session);
    expect(second.session).toBe(session);
    await stage().cli(['restart']);
    const third = await say(stage(), 'third', session);
    const texts = sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text);
    expect(texts).toEqual(['first', 'I am one.', 'second', 'I am two.', 'third']);

    const all = await stored(stage(), session);
    expect(grammarProblems(all, { replayed: true })).toEqual([]);
    const durable = [...events, ...second.events, ...third.events].filter(
      ({ ephemeral }) => ephemeral !== true,
    );
    // The title may come when no client listens any more.
    const shared = all.filter(({ type }) => type !== 'session_title');
    expect(shared).toEqual(durable.filter(({ type }) => type !== 'session_title'));
    expect(ofType(all, 'response_complete').map(({ text }) => text)).toEqual([
      'I am one.',
      'I am two.',
      'I am three.',
    ]);
  });

  it('is listed and shown to people and to programs [I1]', async () => {
    await stage().model([{ text: 'an answer to keep' }, { text: 'another' }]);
    const { session } = await say(stage(), 'what I asked');
    await say(stage(), 'something else');
    const listed = await stage().cli(['sessions', 'list', '--json']);
    const all: { readonly workingFolder: string }[] = JSON.parse(listed.stdout);
    const list = all.filter(({ workingFolder }) => workingFolder === stage().folder);
    expect(list).toHaveLength(2);
    expect(list).toContainEqual(
      expect.objectContaining({ session, workingFolder: stage().folder, messages: 2 }),
    );
    expect((await stage().cli(['sessions', 'list'])).stdout).toContain(session);
    const { stdout } = await stage().cli(['sessions', 'show', session]);
    expect(stdout).toContain('what I asked');
    expect(stdout).toContain('an answer to keep');
  });

  it('keeps the exchange with a failed run in order for the next one [E4]', async () => {
    const server = await stage().model(
      [{ toolCalls: [{ name: 'ls', args: {} }] }, { error: { status: 500, body: {} } }, { text: 'back' }],
      { retry: '{ enabled: false }' },
    );
    const failed = await stage().cli(['run', '--json', 'first']);
    expect(failed.code).toBe(4);
    await say(stage(), 'second', settledOf(failed.events).session);
    const roles = sentMessages(server.requests.at(-1) ?? noRequest()).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user']);
  });
});

describe('a client', () => {
  it('may send a message again: it is answered, and run once, also after a restart [T2]', async () => {
    const server = await stage().model([{ text: 'once', delayMs: 100 }]);
    await stage().withEngine();
    const message = { messageId: 'the-one', content: 'go', options: { approve: ApprovalMode.DENY } };
    let sessionId = '';
    {
      using client = await stage().client();
      ({ sessionId } = await client.call('createSession', { workingFolder: stage().folder }));
      const answers = await Promise.all(
        [1, 2, 3].map(() => client.call('sendMessage', { sessionId, ...message })),
      );
      expect(answers.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
      expect(new Set(answers.map(({ afterSeq }) => afterSeq)).size).toBe(1);
      for await (const { type } of client.stream('watch', { sessionId, afterSeq: 0, follow: true })) {
        if (type === 'idle') break;
      }
      expect((await client.call('sendMessage', { sessionId, ...message })).duplicate).toBe(true);
    }
    await stage().cli(['restart']);
    using client = await stage().client();
    expect((await client.call('sendMessage', { sessionId, ...message })).duplicate).toBe(true);
    const events = await stored(stage(), sessionId);
    expect(grammarProblems(events, { replayed: true })).toEqual([]);
    expect(settledOf(events)).toMatchObject({ message: 'the-one', answer: 'once' });
    expect(server.requests).toHaveLength(1);
  });

  it('may leave and come back, beside others: nothing durable is lost or doubled [T3]', async () => {
    const call = { name: 'ls', args: {} };
    await stage().model([
      ...Array.from({ length: 8 }, () => ({
        text: ['step ', 'by ', 'step'],
        toolCalls: [call],
        chunkDelayMs: 3,
      })),
      { text: 'there' },
    ]);
    await stage().withEngine();
    using client = await stage().client();
    const { sessionId } = await client.call('createSession', { workingFolder: stage().folder });
    const watchers = [
      readAll(stage(), sessionId, 1_000_000),
      readAll(stage(), sessionId, 1_000_000),
      // Leaves after every few lines and resumes after the last durable one.
      readAll(stage(), sessionId, 7),
    ];
    await client.call('sendMessage', { sessionId, messageId: 'm', content: 'go' });
    const seen = await Promise.all(watchers);
    const all = await stored(stage(), sessionId);
    expect(all.length).toBeGreaterThan(60);
    for (const events of seen) {
      expect(events.filter(({ ephemeral }) => ephemeral !== true)).toEqual(all);
    }
    for (const events of seen.slice(0, 2)) expect(grammarProblems(events)).toEqual([]);
    const late = client.stream('watch', { sessionId, afterSeq: 40, follow: false });
    const rest: number[] = [];
    for await (const { seq } of late) rest.push(seq);
    expect(rest).toEqual(all.slice(40).map(({ seq }) => seq));
  });

  it('sends messages of one session in order, each settled once, while another client watches [T2, T3]', async () => {
    // The last message of the person's role is the turn part.
    await stage().model(({ bodyText }) => ({ text: `answer ${bodyText.split('"role":"user"').length - 2}` }));
    await stage().withEngine();
    using client = await stage().client();
    const { sessionId } = await client.call('createSession', { workingFolder: stage().folder });
    const ids = ['m1', 'm2', 'm3'];
    // The session is idle between two messages, too, if the first is answered before the second is sent.
    const watching = readAll(stage(), sessionId, 1_000_000, ids.length);
    for (const messageId of ids)
      await client.call('sendMessage', { sessionId, messageId, content: messageId });
    const events = await watching;
    expect(grammarProblems(events)).toEqual([]);
    const settled = ofType(events, 'settled');
    expect(settled.map(({ message }) => message)).toEqual(ids);
    expect(settled.map(({ answer }) => answer)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });
});

/** Watches to `idle` after so many settled messages over clients of its own, each for at most `lines`. */
async function readAll(at: Stage, sessionId: string, lines: number, messages = 1): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  let afterSeq = 0;
  const readSome = async (): Promise<boolean> => {
    using client = await at.client();
    let count = 0;
    for await (const { json } of client.stream('watch', { sessionId, afterSeq, follow: true })) {
      const event = parseEventLine(json);
      events.push(event);
      if (event.ephemeral !== true) afterSeq = event.seq;
      if (event.type === 'idle' && ofType(events, 'settled').length >= messages) return true;
      count += 1;
      if (count === lines) return false;
    }
    throw new Error('the watch ended by itself');
  };
  await until('idle', readSome);
  return events;
}

function noRequest(): never {
  throw new Error('there was no such request');
}

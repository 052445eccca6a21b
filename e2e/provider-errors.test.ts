import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { settledOf } from './support/event-lines.ts';
import { useSharedStage, useStage } from './support/use-stage.ts';
import { sentMessages } from './support/wire-history.ts';

/** A failure means the same to a person at the last attempt as at the first. */
const ONE_ATTEMPT = '{ enabled: false }';

const TIMEOUTS = 'timeouts: { firstTokenSeconds: 0.5, idleSeconds: 0.5 }';

const error = (status: number, type: string, message: string): ScriptedReply => ({
  error: { status, body: { error: { type, message } } },
});

describe('a model that fails', () => {
  const stage = useSharedStage();

  it.each<[string, ScriptedReply, RegExp]>([
    ['sends nothing', { stall: 'before-first-byte' }, /openai-compatible\/m sent nothing for 0.5 s/],
    [
      'only keeps the connection',
      { stall: 'keep-alive-only' },
      /openai-compatible\/m sent nothing for 0.5 s/,
    ],
    ['stops sending', { text: ['a', 'b'], stall: { afterChunks: 2 } }, /m stopped sending for 0.5 s/],
    [
      'breaks off',
      { text: ['a', 'b', 'c'], cut: { afterChunks: 3 } },
      /openai-compatible\/m.*(broke off|lost)/,
    ],
    [
      'does not accept the key',
      error(401, 'authentication_error', 'who are you'),
      /401.*who are you.*OPENAI_API_KEY/,
    ],
    [
      'has no such model',
      error(404, 'not_found_error', 'no such thing'),
      /openai-compatible\/m.*404.*name "m"/,
    ],
    ['has an error of its own', error(500, 'server_error', 'out of order'), /500.*out of order/],
    [
      'sends something else',
      { text: 'hi', malformed: { afterChunks: 1, data: '{"oops' } },
      /openai-compatible\/m/,
    ],
  ])('and %s: exit 4, one line, and the session can be used on [E1, E4, E6]', async (_what, reply, line) => {
    const server = await stage().model([reply, { text: 'well again' }], {
      config: TIMEOUTS,
      retry: ONE_ATTEMPT,
    });
    const run = await stage().cli(['run', 'hello']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.errors).toEqual([expect.stringMatching(line)]);

    const listed = await stage().cli(['sessions', 'list', '--json']);
    const [{ session }]: [{ session: string }] = JSON.parse(listed.stdout);
    const next = await stage().cli(['run', '--session', session, 'and now?']);
    expect(next).toMatchObject({ code: 0, stdout: 'well again\n' });
    // Nothing was done for the first message: the conversation stands before it [E4].
    const history = sentMessages(server.requests[1] ?? noRequest());
    expect(history.map(({ role, text }) => ({ role, text }))).toEqual([{ role: 'user', text: 'and now?' }]);
  });

  it('and goes away in the middle of an answer: exit 4, events well formed [T6]', async () => {
    const server = await stage().model([
      { toolCalls: [{ name: 'ls', args: {} }] },
      { text: ['one', 'two', 'three'], chunkDelayMs: 100 },
    ]);
    const run = stage().start(['run', '--json', 'hello']);
    await run.event('text_delta');
    await server.close();
    const { code, events, stderr } = await run.done();
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ outcome: 'failed', error: { code: 'server_error' } });
  });
});

describe('a model that is not there', () => {
  const stage = useStage();

  it('ends the run with exit 4 and one line that says where', async () => {
    const server = await stage().model([], { retry: ONE_ATTEMPT });
    await server.close();
    const run = await stage().cli(['run', 'hello']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.errors).toEqual([expect.stringMatching(`127.0.0.1:${server.port}.*(start|check|correct)`)]);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedReply } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';
import { historyProblems, sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();

/** 529 is how Anthropic says that it is overloaded. */
const OVERLOADED: ScriptedReply = { error: { status: 529, message: 'too much to do' } };

/** Long enough that no one can mistake it for the next attempt. */
const LONG_WAIT_MS = 30_000;
const LONG_WAIT = `{ baseDelaySeconds: ${LONG_WAIT_MS / 1_000} }`;

describe('a model call that fails', () => {
  it.each<[string, ScriptedReply, string]>([
    ['because the provider is overloaded', OVERLOADED, 'overloaded'],
    ['with an error of the server', { error: { status: 500, message: 'out of order' } }, 'server_error'],
    [
      'in the middle of its stream',
      { text: ['half ', 'an answer'], cut: { afterChunks: 2 } },
      'server_error',
    ],
    ['by a reset before the first byte', { cut: { afterBytes: 0 } }, 'server_error'],
  ])(
    '%s is made again, and what was said before is dropped [E1] [E2] [E4] [FT70]',
    async (_what, reply, code) => {
      const server = await stage().model([reply, { text: 'well again' }]);
      const run = await stage().cli(['run', '--json', 'hello']);
      expect(run.code).toBe(0);
      expect(grammarProblems(run.events)).toEqual([]);
      expect(ofType(run.events, 'retry_start')).toMatchObject([
        { attempt: 1, maxAttempts: 3, delayMs: 50, code },
      ]);
      expect(ofType(run.events, 'retry_end')).toMatchObject([{ attempt: 1, success: true }]);
      expect(settledOf(run.events)).toMatchObject({ outcome: 'completed', answer: 'well again' });
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    },
  );

  it('is not made again before the provider wants it [E2] [FT70]', async () => {
    const busy = { error: { status: 429, message: 'slow down', headers: { 'retry-after': '1' } } };
    const arrivals: number[] = [];
    await stage().model((_request, index) => {
      arrivals.push(performance.now());
      return index === 0 ? busy : { text: 'now' };
    });
    const { code, events } = await stage().cli(['run', '--json', 'hello']);
    expect(code).toBe(0);
    expect(ofType(events, 'retry_start')).toMatchObject([{ delayMs: 1_000, code: 'rate_limit' }]);
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is not made again if the provider wants a wait of more than a minute [E2]', async () => {
    const busy = { error: { status: 429, message: 'tomorrow', headers: { 'retry-after': '3600' } } };
    const server = await stage().model([busy, { text: 'too early' }]);
    const { code, errors } = await stage().cli(['run', 'hello']);
    expect(code).toBe(4);
    expect(errors).toEqual([expect.stringContaining('tomorrow')]);
    expect(server.requests).toHaveLength(1);
  });

  it('waits twice as long each time, says so, and gives up after the last: exit 4 [E2] [E4]', async () => {
    const server = await stage().model([OVERLOADED], { atEnd: 'repeat-last' });
    const run = await stage().cli(['run', 'hello']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    const attempts = [1, 2, 3].map((attempt) =>
      expect.stringMatching(`overloaded.*too much to do.*${attempt} of 3`),
    );
    expect(run.errors).toEqual([...attempts, expect.stringMatching(/^bulkhead: failed: .*too much to do/)]);
    expect(server.requests).toHaveLength(4);

    // Nothing was done: the conversation stands before the message.
    const [{ session }]: [{ session: string }] = JSON.parse(
      (await stage().cli(['sessions', 'list', '--json'])).stdout,
    );
    const again = await stage().cli(['run', '--json', '--session', session, 'again']);
    const delays = ofType(again.events, 'retry_start').map(({ delayMs }) => delayMs);
    expect(delays).toEqual([50, 100, 200]);
    expect(grammarProblems(again.events, { firstSeq: again.events[0]?.seq ?? 0 })).toEqual([]);
    expect(sentMessages(server.requests.at(-1) ?? noRequest()).map(({ text }) => text)).toEqual(['again']);
  });

  it('can be cancelled while it waits: it ends long before the next attempt, and nothing more is asked [E2]', async () => {
    const server = await stage().model([OVERLOADED, { text: 'too late' }], { retry: LONG_WAIT });
    const run = stage().start(['run', '--json', 'hello']);
    await run.event('retry_start');
    const began = performance.now();
    run.signal('SIGINT');
    const { code, events } = await run.done();
    const tookMs = performance.now() - began;
    process.stdout.write(`ended ${Math.round(tookMs)} ms after it was cancelled\n`);
    expect(tookMs).toBeLessThan(LONG_WAIT_MS / 3);
    expect(code).toBe(130);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events).outcome).toBe('aborted');
    await sleep(300);
    expect(server.requests).toHaveLength(1);
  });

  it('after a tool was used goes on behind its result; the tool is not used twice [E4] [FT70]', async () => {
    const append = bash('echo ran >> runs.log; cat runs.log');
    const server = await stage().model([{ toolCalls: [append] }, OVERLOADED, OVERLOADED, { text: 'done' }]);
    const { code, events } = await stage().cli(['run', '--json', 'go']);
    expect(code).toBe(0);
    expect(grammarProblems(events)).toEqual([]);
    expect(stage().read('runs.log')).toBe('ran\n');
    expect(ofType(events, 'action_started')).toHaveLength(1);
    for (const request of server.requests.slice(1)) {
      const history = sentMessages(request);
      expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
      expect(historyProblems(history)).toEqual([]);
    }
  });

  it('permanently, after a tool was used, leaves the finished work in the conversation [E4]', async () => {
    const fails: ScriptedReply = { error: { status: 401, message: 'who are you' } };
    const server = await stage().model([
      { toolCalls: [bash('echo ran >> runs.log')] },
      fails,
      { text: 'I see' },
    ]);
    const failed = await stage().cli(['run', '--json', 'go']);
    expect(failed.code).toBe(4);
    expect(ofType(failed.events, 'retry_start')).toEqual([]);
    const { session } = settledOf(failed.events);
    expect((await stage().cli(['run', '--session', session, 'and?'])).stdout).toBe('I see\n');
    const roles = sentMessages(server.requests.at(-1) ?? noRequest()).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user']);
  });
});

describe('a fallback', () => {
  it.each<[string, ScriptedReply, number]>([
    ['is overloaded again and again', OVERLOADED, 2],
    ['does not accept the key', { error: { status: 401, message: 'who are you' } }, 1],
    ['has no such model', { error: { status: 404, message: 'no such thing' } }, 1],
  ])(
    'of another provider answers when the first %s; it is asked first for a while [E5] [FT70]',
    async (_what, reply, asked) => {
      const other = await stage().serve([{ text: 'from the other one' }], { atEnd: 'repeat-last' });
      const fallback = `{ provider: anthropic, model: spare, baseUrl: '${other.url}' }`;
      const first = await stage().model([reply], {
        atEnd: 'repeat-last',
        models: `fallback: [${fallback}],`,
        retry: '{ baseDelaySeconds: 0.05, maxRetries: 1 }',
      });
      const env = { ANTHROPIC_API_KEY: 'sk-ant-e2e-not-a-real-key' };
      const run = await stage().cli(['run', '--json', 'hello'], { env });
      expect(run.code).toBe(0);
      expect(grammarProblems(run.events)).toEqual([]);
      expect(settledOf(run.events).answer).toBe('from the other one');
      expect(ofType(run.events, 'retry_start').at(-1)).toMatchObject({
        model: 'anthropic/spare',
        delayMs: 0,
      });
      expect(ofType(run.events, 'turn_start').at(-1)?.model).toBe('anthropic/spare');
      expect(first.requests).toHaveLength(asked);
      expect(other.requests[0]?.headers['authorization']).toBeUndefined();

      expect((await stage().cli(['run', 'once more'])).stdout).toBe('from the other one\n');
      expect(first.requests).toHaveLength(asked);
    },
  );

  it('gets no part of an answer that the first one broke off [E4] [E5]', async () => {
    const other = await stage().serve([{ text: 'whole' }]);
    const fallback = `{ provider: openai-compatible, model: spare, baseUrl: '${other.url}/v1' }`;
    await stage().model([{ text: ['half ', 'an answer'], cut: { afterChunks: 2 } }], {
      models: `fallback: [${fallback}],`,
      retry: '{ maxRetries: 0 }',
    });
    const { events } = await stage().cli(['run', '--json', 'hello']);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ outcome: 'completed', answer: 'whole' });
    await until('the request', () => other.requests.length === 1);
    expect(sentMessages(other.requests[0] ?? noRequest()).map(({ text }) => text)).toEqual(['hello']);
  });
});

function noRequest(): never {
  throw new Error('there was no such request');
}

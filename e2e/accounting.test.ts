import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, settledOf } from './support/event-lines.ts';
import { Talk } from './support/talk.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** US dollars per million tokens: numbers whose products are easy to tell apart. */
const PRICE = 'price: { input: 1000, output: 10000 },';

interface UsageJson {
  readonly rows: readonly Record<string, unknown>[];
  readonly total: Record<string, unknown>;
}

async function usage(...args: readonly string[]): Promise<UsageJson> {
  const { code, stdout } = await stage().cli(['usage', '--json', ...args]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('usage and cost of model calls', () => {
  it('are reported per day, session, purpose and model, failed calls and titles included [D2]', async () => {
    const spent = { input: 100, output: 10 };
    const titles = await stage().serve([{ text: 'A title', usage: { input: 50, output: 5 } }]);
    const failure = { text: ['ab', 'cd'], cut: { afterChunks: 2 } };
    await stage().model(
      (_request, index) => (index === 1 ? failure : { text: 'yes', usage: { ...spent, cached: 20 } }),
      {
        chat: PRICE,
        models: `title: { provider: openai-compatible, model: t, baseUrl: '${titles.url}/v1' },`,
      },
    );
    const day = new Date().toISOString().slice(0, 10);
    await using talk = await Talk.begin(stage());
    for (const message of ['one', 'two', 'three']) {
      await talk.send(message);
      await talk.idleAfter(message);
    }
    await talk.event('session_title');
    const other = await stage().cli(['run', '--json', 'another session']);
    expect(other.code).toBe(0);

    const { rows, total } = await usage('--by', 'purpose', '--session', talk.session);
    expect(rows).toMatchObject([
      { purpose: 'chat', calls: 4, failed: 1, outputTokens: 31, cachedInputTokens: 60, unpriced: 0 },
      { purpose: 'title', calls: 1, failed: 0, inputTokens: 50, outputTokens: 5, unpriced: 1 },
    ]);
    // Three answers at 0.1 + 0.1 each, and the input of the one that broke off, which was paid for.
    const [chat] = rows;
    expect(Number(chat?.['cost'])).toBeGreaterThan(0.6);
    expect(total).toMatchObject({ calls: 5, failed: 1 });

    const bySession = await usage('--by', 'session');
    const sessions = bySession.rows.map(({ session, calls }) => [session, calls]);
    expect(sessions.toSorted()).toEqual(
      [
        [talk.session, 5],
        [settledOf(other.events).session, 1],
      ].toSorted(),
    );
    expect(bySession.rows.find(({ session }) => session !== talk.session)).toMatchObject({
      inputTokens: 100,
      outputTokens: 10,
      cost: expect.closeTo(0.2, 9),
    });
    const byDay = await usage('--by', 'day');
    expect(byDay.rows.map((row) => row['day'])).toContain(day);
    expect(byDay.total).toMatchObject({ calls: 6 });
    expect((await usage('--to', '2020-01-01')).rows).toEqual([]);
    const byModel = await usage('--by', 'model');
    expect(byModel.rows.map(({ model }) => model)).toEqual(['openai-compatible/m', 'openai-compatible/t']);

    await stage().cli(['restart']);
    expect((await usage('--by', 'model')).total).toEqual(byModel.total);
  });

  it('of a message are reported at its end, failed attempts included [D2]', async () => {
    const answer = { text: 'yes', usage: { input: 100, output: 10 } };
    const busy = { error: { status: 529, message: 'busy' } };
    await stage().model([busy, answer, busy, answer], { chat: PRICE });
    const first = settledOf((await stage().cli(['run', '--json', 'one'])).events);
    expect(first).toMatchObject({
      usage: { inputTokens: 100, outputTokens: 10 },
      cost: expect.closeTo(0.2, 9),
    });
    const { events } = await stage().cli(['run', '--json', '--session', first.session, 'two']);
    expect(ofType(events, 'response_complete')).toMatchObject([{ cost: expect.closeTo(0.2, 9) }]);
    expect((await usage()).total).toMatchObject({ calls: 4, failed: 2, cost: expect.closeTo(0.4, 9) });
  });
});

/** The command line names the session after a limit. */
const CONTINUE = expect.stringMatching(/^continue with: bulkhead run --session \S+ "go on"$/);

describe('a spend cap', () => {
  /** One answer costs 5 dollars; before it is known, a call could cost about 6. */
  const dear = { text: 'dear', usage: { input: 1_000, output: 400 } };
  const chat = `${PRICE} maxOutputTokens: 400,`;

  it.each(['perDay', 'perSession'])(
    '%s stops before the next request: exit 5, also after a restart [D2]',
    async (cap) => {
      const server = await stage().model([dear], {
        atEnd: 'repeat-last',
        chat,
        config: `spend: { ${cap}: 8 }`,
      });
      const first = await stage().cli(['run', '--json', 'one']);
      expect(first.code).toBe(0);
      const { session, cost } = settledOf(first.events);
      expect(cost).toBeCloseTo(5, 9);
      for (const restart of [false, true]) {
        if (restart) await stage().cli(['restart']);
        const { code, events } = await stage().cli(['run', '--json', '--session', session, 'two']);
        expect(code).toBe(5);
        expect(grammarProblems(events, { firstSeq: events[0]?.seq ?? 0 })).toEqual([]);
        expect(settledOf(events)).toMatchObject({
          outcome: 'limit',
          error: { code: 'spend_limit' },
          cost: 0,
        });
        expect(ofType(events, 'retry_start')).toEqual([]);
      }
      const told = await stage().cli(['run', '--session', session, 'two']);
      expect(told).toMatchObject({
        code: 5,
        stdout: '',
        errors: [expect.stringMatching(/spend cap of \$8.*config\.yaml/), CONTINUE],
      });
      const elsewhere = await stage().cli(['run', 'in a session of its own']);
      expect(elsewhere.code).toBe(cap === 'perDay' ? 5 : 0);
      expect(server.requests).toHaveLength(cap === 'perDay' ? 1 : 2);
    },
  );

  it('ends a run between two rounds; what was done stays in the conversation [D2]', async () => {
    const ls = { name: 'ls', args: {} };
    const server = await stage().model([{ ...dear, toolCalls: [ls] }, dear], {
      chat,
      config: 'spend: { perDay: 8 }',
    });
    const { code, events } = await stage().cli(['run', '--json', 'go']);
    expect(code).toBe(5);
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'tool_output')).toHaveLength(1);
    expect(settledOf(events)).toMatchObject({ outcome: 'limit', rounds: 2 });
    expect(server.requests).toHaveLength(1);
  });

  it('holds for calls that are made at the same time [D2]', async () => {
    // Twice the most that one can cost, which grows a little with the name of the folder and with what tools there are, and less than three times.
    const server = await stage().model(() => ({ ...dear, delayMs: 300 }), {
      chat,
      config: 'spend: { perDay: 16 }',
    });
    await stage().cli(['start', '--daemon']);
    const runs = await Promise.all([1, 2, 3, 4].map((number) => stage().cli(['run', `say ${number}`])));
    expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 0, 5, 5]);
    expect(server.requests).toHaveLength(2);
  });

  it('lets no call through whose price is not known [D2]', async () => {
    const server = await stage().model([dear], { config: 'spend: { perDay: 8 }' });
    const run = await stage().cli(['run', 'one']);
    expect(run).toMatchObject({
      code: 5,
      errors: [expect.stringMatching(/price of openai-compatible\/m.*price/), CONTINUE],
    });
    expect(server.requests).toEqual([]);
  });
});

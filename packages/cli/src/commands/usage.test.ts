import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const ROWS = [
  {
    day: '2026-01-01',
    sessionId: 's1',
    purpose: 'chat',
    model: 'a/b',
    calls: 3,
    failed: 1,
    inputTokens: 12_345n,
    cachedInputTokens: 100n,
    outputTokens: 67n,
    cost: 0.5,
    unpriced: 0,
  },
  {
    day: '2026-01-02',
    sessionId: 's1',
    purpose: 'title',
    model: 'c/d',
    calls: 2,
    failed: 0,
    inputTokens: 10n,
    outputTokens: 5n,
    cost: 0,
    unpriced: 2,
  },
  {
    day: '2026-01-02',
    sessionId: 's2',
    purpose: 'chat',
    model: 'a/b',
    calls: 1,
    failed: 0,
    inputTokens: 1n,
    outputTokens: 1n,
    cost: 0.00001,
    unpriced: 0,
  },
];

describe('usage', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;
  let asked: unknown[];
  let rows: typeof ROWS;

  beforeEach(async () => {
    home = testHome();
    asked = [];
    rows = ROWS;
    engine = new ScriptedEngine(home.layout, noScript);
    engine.answers = {
      readUsage: (request) => {
        asked.push(request);
        return { rows };
      },
    };
    await engine.listen();
  });

  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
  });

  async function call(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
    const environment = testEnvironment(home.layout);
    const code = await dispatch(['usage', ...argv], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it('shows calls, failures, tokens and money by day, and says what it does not know', async () => {
    expect((await call()).out.split('\n')).toEqual([
      'day         calls  failed      in  cached  out  cost',
      '2026-01-01      3       1  12,345     100   67  $0.5000',
      '2026-01-02      3       0      11       0    6  <$0.0001 + unknown price: 2 calls',
      'total           6       1  12,356     100   73  $0.5000 + unknown price: 2 calls',
      '',
    ]);
  });

  it.each([
    ['session', ['s1', 's2']],
    ['purpose', ['chat', 'title']],
    ['model', ['a/b', 'c/d']],
  ])('adds up by %s, for programs too', async (key, values) => {
    const { by, rows: lines, total } = JSON.parse((await call('--by', key, '--json')).out);
    expect(by).toBe(key);
    expect(lines.map((line: Record<string, unknown>) => line[key])).toEqual(values);
    expect(total).toMatchObject({
      calls: 6,
      failed: 1,
      inputTokens: 12_356,
      cachedInputTokens: 100,
      unpriced: 2,
    });
    expect(total.cost).toBeCloseTo(0.50001);
  });

  it('never shows a call of unknown price as free', async () => {
    rows = ROWS.slice(1, 2);
    expect((await call()).out).toContain('unknown price: 2 calls\n');
    expect((await call()).out).not.toContain('$');
  });

  it('asks for the given days and session', async () => {
    rows = [];
    engine.addSession('s1', []);
    const argv = ['--from', '2026-01-01', '--to', '2026-01-31', '--session', 's1'];
    expect(await call(...argv)).toEqual({ code: 0, out: 'no model calls\n', err: '' });
    expect(asked).toMatchObject([
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', sessionId: 's1' },
    ]);
  });

  it('refuses a session that is not there, and takes the beginning of one', async () => {
    rows = [];
    engine.addSession('01ABCDEFGH', []);
    expect(await call('--session', 'nope')).toEqual({
      code: 1,
      out: '',
      err: 'bulkhead: there is no session nope. See `bulkhead sessions list`.\n',
    });
    expect((await call('--session', '01ABCD')).out).toBe('no model calls\n');
    expect(asked.at(-1)).toMatchObject({ sessionId: '01ABCDEFGH' });
  });

  it('shows what a session took that is deleted by now', async () => {
    rows = ROWS.slice(0, 1);
    expect((await call('--session', 'gone')).out).toContain('$0.5000');
  });

  it.each([[['--by', 'week']], [['--from', 'monday']], [['--session']], [['more']]])(
    'refuses %j',
    async (argv) => {
      expect(await call(...argv)).toMatchObject({ code: 2, out: '' });
      expect(asked).toEqual([]);
    },
  );
});

import { setTimeout as sleep } from 'node:timers/promises';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine, type ScriptedRun } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const HASH = 'ab'.repeat(32);

const hello: Script = async (run) => {
  run.start();
  run.say('Hello, ', 'world');
  run.settle({ answer: 'Hello, world' });
};

const withTool: Script = async (run) => {
  run.start();
  run.emit(
    { type: 'message_start', role: 'assistant' },
    { type: 'text_delta', text: 'Let me look.' },
    { type: 'message_end', role: 'assistant', text: 'Let me look.', stopReason: 'tool_calls' },
    { type: 'tool_call', call: 'c1', tool: 'read', arguments: { path: 'README.md' } },
    { type: 'action_started', action: 'a1', call: 'c1', tool: 'read', hash: HASH },
    { type: 'tool_output', call: 'c1', tool: 'read', text: 'one\ntwo\n', isError: false },
    { type: 'tool_call', call: 'c2', tool: 'bash', arguments: { command: 'rm -rf /' } },
    { type: 'action_started', action: 'a2', call: 'c2', tool: 'bash', hash: HASH },
    {
      type: 'shield_verdict',
      action: 'a2',
      hash: HASH,
      decision: 'block',
      tier: 0,
      rule: 'no-rm',
      reason: 'it deletes',
    },
    { type: 'tool_output', call: 'c2', tool: 'bash', text: 'blocked', isError: true },
  );
  run.say('Two lines.');
  run.settle({ answer: 'Two lines.', rounds: 2 });
};

const untilCancelled: Script = async (run) => {
  run.start();
  run.emit({ type: 'message_start', role: 'assistant' });
  await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
  run.settle({ outcome: 'aborted' });
};

describe('run', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine | undefined;

  beforeEach(() => {
    home = testHome();
  });

  afterEach(async () => {
    await engine?.close();
    engine = undefined;
    home[Symbol.dispose]();
  });

  async function serve(script: Script): Promise<ScriptedEngine> {
    engine = new ScriptedEngine(home.layout, script);
    await engine.listen();
    return engine;
  }

  it('prints the answer alone on standard output and exits 0 [I1]', async () => {
    const served = await serve(hello);
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', 'say', 'hi'], environment)).toBe(0);
    expect(environment.out()).toBe('Hello, world\n');
    expect(environment.err()).toBe('');
    expect(served.received).toMatchObject([{ content: 'say hi', options: { approve: ApprovalMode.DENY } }]);
  });

  it('passes options and session on, and reads the prompt from standard input', async () => {
    const served = await serve(hello);
    served.addSession('old', [{ type: 'save_point' }]);
    const environment = testEnvironment(home.layout);
    environment.stdin.end('from a pipe\n');
    const options = ['--model', 'openai/x', '--base-url', 'http://127.0.0.1:9/v1', '--max-rounds', '7'];
    expect(
      await dispatch(['run', '--session', 'old', '--approve', 'allow', ...options, '-'], environment),
    ).toBe(0);
    expect(served.received).toMatchObject([
      {
        sessionId: 'old',
        content: 'from a pipe\n',
        options: {
          approve: ApprovalMode.ALLOW,
          model: 'openai/x',
          baseUrl: 'http://127.0.0.1:9/v1',
          maxRounds: 7,
        },
      },
    ]);
  });

  it('tells of tools and earlier text on standard error, of refusals with their reason', async () => {
    await serve(withTool);
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', 'look'], environment)).toBe(0);
    expect(environment.out()).toBe('Two lines.\n');
    expect(environment.err().split('\n')).toEqual([
      'Let me look.',
      '▸ read README.md',
      '✓ read 2 lines',
      '▸ bash rm -rf /',
      '✗ blocked by no-rm: it deletes',
      '  `bulkhead policy test` shows what decides (docs/policy.md); if it must be, do it yourself.',
      '',
    ]);
  });

  it('streams all text to a terminal, made harmless', async () => {
    await serve(async (run) => {
      run.start();
      await sleep(150);
      run.say('one \x1b]52;c;', 'aGk=\x07 two');
      run.settle({ answer: 'x' });
    });
    const environment = testEnvironment(home.layout, { terminal: ['stdout'] });
    expect(await dispatch(['run', 'x'], environment)).toBe(0);
    expect(environment.out()).toBe('one \\x1b]52;c;aGk= two\n');
  });

  it('prints the event lines as they are with --json, to settled and idle [I1]', async () => {
    const served = await serve(withTool);
    served.addSession('old', [{ type: 'save_point' }]);
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', '--json', '--session', 'old', 'look'], environment)).toBe(0);
    const lines = environment.out().trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ seq: 2, session: 'old', type: 'agent_start' });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['settled', 'idle']);
    const durable = events.filter(({ ephemeral }) => ephemeral !== true).map(({ seq }) => seq);
    expect(durable).toEqual(durable.map((_, index) => index + 2));
    expect(environment.err()).toBe('');
  });

  it.each<[string, Parameters<ScriptedRun['settle']>[0], number, string]>([
    ['failed', { outcome: 'failed', error: { code: 'internal', message: 'boom' } }, 1, 'failed: boom'],
    [
      'provider',
      { outcome: 'failed', error: { code: 'model_not_found', message: 'no model "x"' } },
      4,
      'failed: no model "x"',
    ],
    ['blocked', { outcome: 'blocked' }, 3, 'blocked: the last action was refused'],
    [
      'limit',
      { outcome: 'limit', rounds: 9 },
      5,
      'stopped at the round limit, after 8 rounds and a last answer. To continue, send another message; --max-rounds or limits.maxRounds allows more rounds.\ncontinue with: bulkhead run --session session-1 "go on"',
    ],
    ['aborted', { outcome: 'aborted' }, 130, 'cancelled'],
  ])('exits with the code of the outcome: %s [I1]', async (_name, fields, code, note) => {
    await serve(async (run) => {
      run.start();
      run.settle(fields);
    });
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', 'x'], environment)).toBe(code);
    expect(environment.out()).toBe('');
    expect(environment.err()).toBe(`bulkhead: ${note}\n`);
  });

  it('ends with --json soon after settled even if the session never goes idle', async () => {
    await serve(async (run) => {
      run.start();
      run.settle({ answer: 'x' }, { idle: false });
    });
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', '--json', 'x'], environment)).toBe(0);
    expect(environment.out()).toContain('"type":"settled"');
  });

  it('cancels the run at the first interrupt and waits for its end [I1]', async () => {
    await serve(untilCancelled);
    const environment = testEnvironment(home.layout);
    const exit = dispatch(['run', '--json', 'x'], environment);
    await environment.until('message_start');
    environment.interrupt();
    expect(await exit).toBe(130);
    expect(environment.out()).toContain('"outcome":"aborted"');
  });

  it('leaves at the second interrupt, and after 2 s, when the run does not end', async () => {
    const served = await serve(async (run) => {
      run.start();
      await new Promise(() => {});
    });
    const call = () => {
      const environment = testEnvironment(home.layout);
      return { environment, exit: dispatch(['run', '--json', 'x'], environment) };
    };
    const [twice, once] = [call(), call()];
    // The one that has to be faster is interrupted later.
    await expect.poll(() => served.received.length).toBe(2);
    once.environment.interrupt();
    twice.environment.interrupt();
    twice.environment.interrupt();
    const first = await Promise.race([once.exit.then(() => 'once'), twice.exit.then(() => 'twice')]);
    expect(first).toBe('twice');
    expect(await Promise.all([once.exit, twice.exit])).toEqual([130, 130]);
  });

  it('cancels the run quietly when the reader of its output is gone', async () => {
    const served = await serve(untilCancelled);
    const environment = testEnvironment(home.layout);
    const exit = dispatch(['run', '--json', 'x'], environment);
    await environment.until('message_start');
    environment.stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await exit).toBe(130);
    expect(environment.err()).toBe('');
    expect(served.received).toHaveLength(1);
  });

  it('goes on after a crash of the engine, with no event twice and none lost', async () => {
    const gate = Promise.withResolvers<void>();
    const served = await serve(async (run) => {
      run.start();
      run.emit({ type: 'turn_start', round: 1, model: 'offline/echo' });
      await gate.promise;
      run.say('still ', 'here');
      run.settle({ answer: 'still here' });
    });
    const environment = testEnvironment(home.layout);
    const exit = dispatch(['run', '--json', 'x'], environment);
    await environment.until('turn_start');
    await served.crash();
    gate.resolve();
    await sleep(200);
    await served.listen();
    expect(await exit).toBe(0);
    const events = environment
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const durable = events.filter(({ ephemeral }) => ephemeral !== true);
    expect(durable.map(({ seq }) => seq)).toEqual(durable.map((_, index) => index + 1));
    expect(durable.at(-1)).toMatchObject({ type: 'idle' });
  });

  it('prints what was missed of a streamed answer after a lost connection', async () => {
    const gate = Promise.withResolvers<void>();
    const served = await serve(async (run) => {
      run.start();
      await sleep(100);
      run.emit({ type: 'message_start', role: 'assistant' }, { type: 'text_delta', text: 'first ' });
      await gate.promise;
      run.emit({ type: 'text_delta', text: 'second ' });
      run.emit({ type: 'message_end', role: 'assistant', text: 'first second third', stopReason: 'stop' });
      run.settle({ answer: 'first second third' });
    });
    const environment = testEnvironment(home.layout, { terminal: ['stdout'] });
    const exit = dispatch(['run', 'x'], environment);
    await environment.until('first');
    await served.crash();
    gate.resolve();
    await served.listen();
    expect(await exit).toBe(0);
    expect(environment.out()).toBe('first second third\n');
  });

  it.each<[string, string[], string]>([
    ['a session that is not there', ['--session', 'nope', 'x'], 'there is no session nope'],
    ['an unknown option', ['--jsno', 'x'], '--jsno (did you mean --json?)'],
    ['a folder that is not there', ['--cwd', '/no/such', 'x'], '/no/such does not exist'],
    ['no prompt', [], 'there is no prompt'],
  ])('tells of %s in one line', async (_what, argv, part) => {
    await serve(hello);
    const environment = testEnvironment(home.layout);
    expect(await dispatch(['run', ...argv], environment)).toBe(argv[0] === '--session' ? 1 : 2);
    expect(environment.err()).toContain(part);
    expect(environment.err().trimEnd().split('\n')).toHaveLength(1);
    expect(environment.out()).toBe('');
  });
});

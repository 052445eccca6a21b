import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const hello: Script = async (run) => {
  run.start();
  run.say('Hello');
  run.settle({ answer: 'Hello' });
};

describe('output of run for a person', () => {
  let home: ReturnType<typeof testHome>;
  let engine: ScriptedEngine;

  beforeEach(() => {
    home = testHome();
  });

  afterEach(async () => {
    await engine.close();
    home[Symbol.dispose]();
  });

  async function serve(script: Script): Promise<void> {
    engine = new ScriptedEngine(home.layout, script);
    await engine.listen();
  }

  async function call(terminal: boolean, ...argv: string[]) {
    const environment = testEnvironment(home.layout, { terminal: terminal ? ['stderr'] : [] });
    const code = await dispatch(['run', ...argv], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it('says at its end how to go on, on a terminal alone', async () => {
    await serve(hello);
    expect((await call(true, 'x')).err).toBe('continue with: bulkhead chat --session session-1\n');
    expect((await call(true, '--otr', 'x')).err).toContain('bulkhead chat --otr --session session-2\n');
    expect((await call(true, '--json', 'x')).err).toBe('');
    expect((await call(false, 'x')).err).toBe('');
  });

  it('takes the beginning of an id for its session', async () => {
    await serve(hello);
    engine.addSession('01ABCDEFGH', []);
    engine.addSession('01ABCDEFGX', []);
    expect((await call(false, '--session', '01ABCDEFGH'.slice(0, 9), 'x')).err).toContain(
      'bulkhead: 2 sessions could be 01ABCDEFG: 01ABCDEFGH, 01ABCDEFGX.',
    );
    engine.addSession('01XXXXXXXX', []);
    expect((await call(false, '--session', '01XXXX', 'x')).code).toBe(0);
    expect(engine.received).toMatchObject([{ sessionId: '01XXXXXXXX' }]);
    expect((await call(false, '--session', '01XXXX', 'x')).err).toContain(
      'note: this session works in /, not in the folder you are in\n',
    );
  });

  it('refuses an address for a model that has no server, before a session is made', async () => {
    await serve(hello);
    expect(await call(false, '--base-url', 'http://127.0.0.1:9/v1', 'x')).toEqual({
      code: 2,
      out: '',
      err: 'bulkhead: --base-url needs --model: offline/echo is in use, which has no server. Name the model, e.g. --model openai-compatible/NAME.\n',
    });
    expect(engine.created).toEqual([]);
    const options = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'openai-compatible/x'];
    expect((await call(false, ...options, 'x')).code).toBe(0);
  });

  it('says when the engine is away and back, and how to go on if it never comes', async () => {
    await serve(async (run) => {
      run.start();
      await new Promise((resolve) => run.cancelled.addEventListener('abort', resolve));
    });
    const environment = testEnvironment(home.layout);
    const exit = dispatch(['run', 'x'], environment);
    await expect.poll(() => engine.received.length).toBe(1);
    await sleep(100);
    await engine.crash();
    await environment.until('… connection lost, retrying\n');
    await engine.listen();
    await environment.until('… reconnected\n');
    await engine.crash();
    expect(await exit).toBe(1);
    const last = environment.err().trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^bulkhead: the engine ended and did not restart within 10 s\./);
    expect(last).toContain('`bulkhead start`');
    expect(last).toContain('`bulkhead chat --session session-1`');
  });

  it('shows the whole answer after a retry, and that the model answers again before it', async () => {
    await serve(async (run) => {
      run.start();
      await sleep(100);
      run.emit({ type: 'message_start', role: 'assistant' }, { type: 'text_delta', text: 'Hel' });
      run.emit({
        type: 'retry_start',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 0,
        code: 'overloaded',
        message: 'busy',
        model: 'p/m',
      });
      run.say('Hello', ' there');
      run.emit({ type: 'retry_end', attempt: 1, success: true });
      run.settle({ answer: 'Hello there' });
    });
    const environment = testEnvironment(home.layout, { terminal: ['stdout'] });
    expect(await dispatch(['run', 'x'], environment)).toBe(0);
    expect(environment.out()).toBe('Hel\nHello there\n');
    expect(environment.err().split('\n').slice(1)).toEqual(['… the model answers again', '']);
  });
});

import { describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const BANNER = '!!! NO SANDBOX: this engine was started with --insecure-no-sandbox.';

/** Calls a command on an engine that runs already. */
async function call(sandbox: string, argv: readonly string[], stdin?: string) {
  using home = testHome();
  const engine = new ScriptedEngine(home.layout, async (run) => {
    run.emit({
      type: 'agent_start',
      message: run.request.messageId,
      ...(sandbox === 'off' ? { sandbox } : {}),
    });
    run.settle({ answer: 'done' });
  });
  engine.sandbox = sandbox;
  await engine.listen();
  const environment = testEnvironment(home.layout);
  if (stdin !== undefined) environment.stdin.end(stdin);
  const code = await dispatch(argv, environment);
  await engine.close();
  return { code, out: environment.out(), err: environment.err() };
}

describe('an engine without a sandbox', () => {
  it.each([[['run', 'hi']], [['run', '--json', 'hi']], [['status']], [['status', '--json']], [['chat']]])(
    'is told to every client that comes to it: %j',
    async (argv) => {
      expect((await call('off', argv, '')).err).toContain(BANNER);
      expect((await call('on', argv, '')).err).not.toContain('SANDBOX');
    },
  );

  it('keeps standard output for what was asked', async () => {
    expect((await call('off', ['run', 'hi'])).out).toBe('done\n');
    const status = await call('off', ['status', '--json']);
    expect(JSON.parse(status.out)).toMatchObject({ sandbox: 'off' });
    expect((await call('off', ['status'])).out).toContain('sandbox     OFF');
    expect((await call('on', ['status'])).out).toContain('sandbox     on\n');
    expect((await call('', ['status'])).out).toContain('sandbox     not known\n');
  });

  it('appears for each run of a chat, as the engine may have restarted', async () => {
    expect((await call('off', ['chat'], 'hi\n')).err).toContain('!!! NO SANDBOX: what follows');
    expect((await call('on', ['chat'], 'hi\n')).err).not.toContain('NO SANDBOX');
  });

  it('does not come of the option where one with a sandbox runs', async () => {
    const { err } = await call('on', ['run', '--insecure-no-sandbox', 'hi']);
    expect(err).toContain('changed nothing: the engine that runs has its sandbox');
  });
});

import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

const hello: Script = async (run) => {
  run.start();
  run.settle({ answer: 'hello' });
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

  async function serve(script: Script, answers: ScriptedEngine['answers'] = {}): Promise<ScriptedEngine> {
    engine = new ScriptedEngine(home.layout, script);
    engine.answers = answers;
    await engine.listen();
    return engine;
  }

  it('adds what is piped in below the prompt [I1]', async () => {
    const served = await serve(hello);
    const environment = testEnvironment(home.layout);
    environment.stdin.end('a log\nof two lines\n');
    expect(await dispatch(['run', 'summarise', 'this'], environment)).toBe(0);
    expect(served.received).toMatchObject([{ content: 'summarise this\n\na log\nof two lines\n' }]);
  });

  it('sends the text of a template for /NAME, with what is piped in; and a path as it is [I1]', async () => {
    const served = await serve(hello, {
      expandTemplate: ({ name, arguments: given }) => {
        if (name !== 'fix') throw new ConnectError('no such template', Code.NotFound);
        return { text: `Fix this: ${given}` };
      },
    });
    const environment = testEnvironment(home.layout);
    environment.stdin.end('a log');
    expect(await dispatch(['run', '/fix', 'the', 'test'], environment)).toBe(0);
    expect(await dispatch(['run', '/usr is full'], testEnvironment(home.layout))).toBe(0);
    expect(await dispatch(['run', '/other words'], testEnvironment(home.layout))).toBe(0);
    expect(served.received.map(({ content }) => content)).toEqual([
      'Fix this: the test\n\na log',
      '/usr is full',
      '/other words',
    ]);
  });

  it('continues the last session of the folder, and only one of this folder [I1]', async () => {
    const served = await serve(hello);
    const here = testEnvironment(home.layout, { cwd: home.layout.root });
    expect(await dispatch(['run', '--continue', 'go on'], here)).toBe(1);
    expect(here.err()).toContain('there is no session of the folder');
    served.addSession('other', []);
    for (const id of ['newest', 'older']) served.addSession(id, [], false, home.layout.root);
    const again = testEnvironment(home.layout, { cwd: home.layout.root });
    expect(await dispatch(['run', '--continue', 'go on'], again)).toBe(0);
    expect(served.received).toMatchObject([{ sessionId: 'newest', content: 'go on' }]);
    const both = testEnvironment(home.layout);
    expect(await dispatch(['run', '--continue', '--session', 'x', 'go on'], both)).toBe(2);
  });
});

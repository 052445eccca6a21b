import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS, PLANNED_COMMANDS } from './command-table.ts';
import { dispatch } from './dispatch.ts';
import { noScript, ScriptedEngine } from './testing/scripted-engine.ts';
import { testEnvironment } from './testing/test-environment.ts';
import { testHome } from './testing/test-home.ts';

describe('bulkhead', () => {
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

  async function serve(): Promise<ScriptedEngine> {
    engine = new ScriptedEngine(home.layout, noScript);
    await engine.listen();
    return engine;
  }

  async function call(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
    const environment = testEnvironment(home.layout);
    const code = await dispatch(argv, environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  it.each(COMMANDS.map(({ name }) => name))('%s has --help, and it costs no engine [I1]', async (name) => {
    const { code, out, err } = await call(name, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`usage: bulkhead ${name}`);
    expect(err).toBe('');
    expect((await call('help', name)).out).toBe(out);
  });

  it.each(PLANNED_COMMANDS)('refuses %s, which is not built yet', async (name) => {
    const { code, out, err } = await call(name, 'list', '--json');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'usage',
        message: `\`bulkhead ${name}\` is not built yet`,
        fix: '`bulkhead help` lists the commands.',
      },
    });
  });

  it('tells a program of an error as JSON, and a person in words [I1]', async () => {
    expect(JSON.parse((await call('processes', 'list', '--json')).err)).toEqual({
      error: {
        code: 'not_running',
        message: expect.stringContaining('no engine runs'),
        fix: expect.any(String),
      },
    });
    expect((await call('processes', 'list')).err).toMatch(/^bulkhead: no engine runs on /);
  });

  it.each<[string[], string]>([
    [['stauts'], 'unknown command "stauts" (did you mean "status"?). See `bulkhead help`.'],
    [['frobnicate'], 'unknown command "frobnicate". See `bulkhead help`.'],
    [['--jsn'], 'unknown option --jsn before a command. See `bulkhead help`.'],
    [['--profile', 'work', 'status'], 'there is no profile "work". See `bulkhead profile list`.'],
    [['status', '--jsn'], 'unknown option --jsn (did you mean --json?). See `bulkhead status --help`.'],
    [['sessions', 'lst'], 'unknown: sessions lst (did you mean "list"?). See `bulkhead sessions --help`.'],
    [['sessions', 'show'], '`sessions show` needs ID. See `bulkhead sessions --help`.'],
    [
      ['sessions', 'label', 'x'],
      '`sessions label` needs ID, ENTRY and TEXT. See `bulkhead sessions --help`.',
    ],
    [
      ['sessions', 'list', 'x'],
      'unexpected argument "x" for `sessions list`. See `bulkhead sessions --help`.',
    ],
    [
      ['sessions', 'list', '--yes'],
      '--yes does not apply to `sessions list`. See `bulkhead sessions --help`.',
    ],
    [
      ['undo'],
      'there is no command "undo". Use `bulkhead chronicle rollback ID --turn`, or `/undo` in a chat.',
    ],
    [['export'], '`sessions export` needs ID. See `bulkhead sessions --help`.'],
    [['logs', '-fx'], 'unknown option -x in -fx. See `bulkhead logs --help`.'],
    [['logs', '-n', 'many'], '-n is a whole number, not "many". See `bulkhead logs --help`.'],
  ])('tells of %j in one line, exit 2 [I1]', async (argv, line) => {
    expect(await call(...argv)).toEqual({ code: 2, out: '', err: `bulkhead: ${line}\n` });
  });

  it('prints version and overview', async () => {
    expect((await call('--version')).out).toMatch(/^bulkhead \d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await call('version', '--json')).out)).toMatchObject({ protocol: PROTOCOL_VERSION });
    for (const argv of [['help'], ['--help'], ['-h']]) {
      const { code, out } = await call(...argv);
      expect(code).toBe(0);
      for (const { name } of COMMANDS) expect(out).toContain(`  ${name}`);
    }
  });

  it('works on no home without making it', async () => {
    expect(await call('status')).toEqual({
      code: 1,
      out: `not running (home ${home.layout.root})\n`,
      err: '',
    });
    expect(await call('stop')).toEqual({ code: 0, out: `no engine runs on ${home.layout.root}\n`, err: '' });
    for (const name of ['token', 'logs']) {
      const { code, out, err } = await call(name);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        /^bulkhead: (there is no log at .*no engine ran here yet|no engine runs on .*)\. .*\n$/,
      );
    }
    expect(() => chmodSync(home.layout.root, 0o700)).toThrow('ENOENT');
  });

  it('shows the status for people and programs', async () => {
    const served = await serve();
    served.notices = ['no key: the offline model answers'];
    const { code, out } = await call('status');
    expect(code).toBe(0);
    expect(out).toContain('address     http://127.0.0.1:7411\n');
    expect(out).toContain('model       offline/echo\n');
    expect(out).toContain('note        no key: the offline model answers\n');
    expect(JSON.parse((await call('status', '--json')).out)).toMatchObject({
      running: true,
      engine: process.pid,
      processes: [{ kind: 'agent', session: 'session-1' }],
    });
    await served.crash();
    expect(JSON.parse((await call('status', '--json')).out)).toEqual({
      running: false,
      home: home.layout.root,
    });
  });

  it('lists sessions and shows one', async () => {
    const served = await serve();
    expect((await call('sessions')).out).toBe('no sessions yet\n');
    served.addSession('s1', [
      { type: 'message_end', role: 'user', text: 'a question\nof two lines' },
      { type: 'tool_call', call: 'c', tool: 'ls', arguments: { path: '.' } },
      { type: 'tool_output', call: 'c', tool: 'ls', text: 'none', isError: true },
      { type: 'message_end', role: 'assistant', text: 'the answer' },
    ]);
    expect((await call('sessions', 'list')).out).toContain('s1  2026-01-02T00:00:00.000Z  title of s1\n');
    expect(JSON.parse((await call('sessions', 'list', '--json')).out)).toMatchObject([{ session: 's1' }]);
    expect((await call('sessions', 'show', 's1')).out).toBe(
      'you\n  a question\n  of two lines\n▸ ls .\n✗ ls: none\nbulkhead\n  the answer\n',
    );
    const lines = (await call('sessions', 'show', 's1', '--json')).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4]);
    expect(await call('sessions', 'show', 's2')).toMatchObject({
      code: 1,
      err: 'bulkhead: there is no session s2. See `bulkhead sessions list`.\n',
    });
  });

  it('prints the access token, unless others can read what it is asked for with', async () => {
    await serve();
    expect((await call('token')).out).toBe('bulkhead_of-the-owner\n');
    chmodSync(home.layout.token, 0o640);
    expect(await call('token')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('mode 640') });
  });

  it('prints the log for people and as it is', async () => {
    mkdirSync(home.layout.logs, { recursive: true });
    const line = '{"level":30,"time":0,"msg":"ready"}';
    writeFileSync(`${home.layout.logs}/engine.log`, `${line}\n${line}\n`);
    expect((await call('logs', '-n', '1')).out).toBe('1970-01-01T00:00:00.000Z info  ready\n');
    expect((await call('logs', '--json')).out).toBe(`${line}\n${line}\n`);
    writeFileSync(
      `${home.layout.logs}/supervisor.log`,
      't supervisor: the engine ended with signal SIGKILL\n',
    );
    expect((await call('logs', '--supervisor')).out).toBe(
      't supervisor: the engine ended with signal SIGKILL\n',
    );
  });

  it('takes a stale socket and lock for nothing running', async () => {
    mkdirSync(home.layout.run, { recursive: true });
    writeFileSync(home.layout.socket, '');
    writeFileSync(home.layout.token, 'x', { mode: 0o600 });
    writeFileSync(`${home.layout.lock}.pid`, `${process.pid}\n`);
    expect(await call('stop')).toMatchObject({ code: 0, err: '' });
    expect(await call('status')).toMatchObject({ code: 1 });
  });
});

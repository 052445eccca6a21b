import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { noScript, ScriptedEngine } from '../testing/scripted-engine.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { testHome } from '../testing/test-home.ts';

describe('config', () => {
  let home: ReturnType<typeof testHome>;

  beforeEach(() => {
    home = testHome();
  });

  afterEach(() => home[Symbol.dispose]());

  interface Options {
    readonly stdin?: string;
    readonly env?: Readonly<Record<string, string>>;
  }

  async function call(words: readonly string[], options: Options = {}) {
    const environment = testEnvironment(home.layout, { ...(options.env && { env: options.env }) });
    environment.stdin.end(options.stdin ?? '');
    const code = await dispatch(['config', ...words], environment);
    return { code, out: environment.out(), err: environment.err() };
  }

  const write = (text: string) => {
    mkdirSync(home.layout.root, { recursive: true, mode: 0o700 });
    writeFileSync(home.layout.config, text);
  };
  const read = () => readFileSync(home.layout.config, 'utf8');

  it('shows what counts and where it comes from, without making a home [D3]', async () => {
    const all = await call([]);
    expect(all.code).toBe(0);
    expect(all.out).toContain('limits.maxRounds: 200  # default\n');
    expect(all.out).toContain('models.fallback: []  # default\n');
    expect(existsSync(home.layout.root)).toBe(false);
    write('# x\nlimits: { maxRounds: 3 }\n');
    expect((await call(['get', 'limits.maxRounds'])).out).toBe('limits.maxRounds: 3  # config.yaml:2\n');
    expect((await call(['get', 'limits'])).out).toBe(
      "limits.maxRounds: 3  # config.yaml:2\nlimits.maxOutputTokens: (none: the model's own maximum)  # not set\n",
    );
    expect((await call(['get', 'spend.perDay'])).out).toBe('spend.perDay: (none: no cap)  # not set\n');
    expect((await call(['get', 'spend'])).out).toBe(
      'spend.perDay: (none: no cap)  # not set\nspend.perSession: (none: no cap)  # not set\n',
    );
    expect((await call(['get', 'models.chat'])).out).toBe(
      'models.chat: (none: chosen by keys, a local Ollama, or offline)  # not set\n',
    );
    expect((await call(['get', 'models.embedding'])).out).toBe('models.embedding: (none)  # not set\n');
    expect((await call(['get', 'models.chat.provider'])).out).toBe('models.chat.provider:  # not set\n');
    expect((await call(['get', 'server.port'])).out).toBe('server.port: 7411  # default\n');
    expect(all.out).toContain('models.chat: (none: chosen by keys, a local Ollama, or offline)  # not set\n');
    expect(JSON.parse((await call(['get', 'spend.perDay', '--json'])).out)).toEqual({
      key: 'spend.perDay',
      value: null,
      source: 'not set',
      otherwise: 'no cap',
    });
    expect(JSON.parse((await call(['get', 'limits.maxRounds', '--json'])).out)).toEqual({
      key: 'limits.maxRounds',
      value: 3,
      source: 'file',
      line: 2,
    });
    expect(JSON.parse((await call(['get', '--json'])).out)).toContainEqual({
      key: 'policy',
      value: 'default',
      source: 'default',
    });
  });

  it('sets and unsets keys', async () => {
    write('# mine\npolicy: strict # because\n');
    const set = await call(['set', 'limits.maxRounds', '7', 'policy', 'permissive']);
    expect(set).toEqual({ code: 0, out: `set limits.maxRounds, policy in ${home.layout.config}\n`, err: '' });
    expect(read()).toBe('# mine\npolicy: permissive # because\nlimits:\n  maxRounds: 7\n');
    expect(statSync(home.layout.config).mode & 0o777).toBe(0o600);
    expect((await call(['set', 'policy', 'permissive'])).out).toBe(
      `${home.layout.config} already has this value\n`,
    );
    expect((await call(['unset', 'limits.maxRounds'])).code).toBe(0);
    expect(read()).toBe('# mine\npolicy: permissive # because\n');
  });

  it('says at once that a policy is not there, and takes its name all the same', async () => {
    const { code, err } = await call(['set', 'policy', 'strct']);
    expect([code, err]).toEqual([
      0,
      'There is no policy "strct" (did you mean strict?): the engine does not start with it. See `bulkhead policy list`.\n',
    ]);
    expect(read()).toContain('policy: strct');
    expect((await call(['set', 'policy', 'strict'])).err).toBe('');
  });

  it('prints the schema', async () => {
    const { out } = await call(['schema']);
    expect(out).toBe(readFileSync(new URL('../../../../docs/config.schema.json', import.meta.url), 'utf8'));
  });

  it('says so when an engine must be restarted for it', async () => {
    await using engine = await startEngine();
    expect((await call(['set', 'limits.maxRounds', '7'])).err).toBe(
      '`bulkhead restart` applies the change to the running engine.\n',
    );
    expect((await call(['secret', 'A_KEY', '-'], { stdin: 'k' })).err).toBe('');
    expect(engine.running).toBe(true);
  });

  async function startEngine() {
    const engine = new ScriptedEngine(home.layout, noScript);
    await engine.listen();
    return { running: true, [Symbol.asyncDispose]: () => engine.close() };
  }

  it.each<[string[], string]>([
    [['gte'], 'unknown: config gte (did you mean "get"?)'],
    [['get', 'limits.maxRound'], 'unknown key "limits.maxRound" (did you mean limits.maxRounds?)'],
    [['get', 'maxRounds'], 'unknown key "maxRounds" (did you mean limits.maxRounds?)'],
    [['set', 'model.chat', 'x'], 'unknown key "model.chat" (did you mean models.chat?)'],
    [['unset', 'frobnicate'], 'unknown key "frobnicate". See'],
    [['get', 'limits', 'policy'], '`config get` takes one key'],
    [['set', 'policy'], '`config set` needs a key and a value for each'],
    [['set', 'limits.maxRounds=CANARY'], 'use a space instead of = after limits.maxRounds'],
    [['set', 'policy', 'strict', 'limits.maxRounds=CANARY'], 'bulkhead config set limits.maxRounds VALUE'],
    [['set', 'OPENAI_API_KEY=CANARY'], 'looks like a secret'],
    [['set', 'limits.maxRound=CANARY'], 'did you mean limits.maxRounds?'],
    [['set', '--frob', 'x'], 'unknown option --frob'],
    [['set'], '`config set` needs a key and a value for each'],
    [['unset'], '`config unset` needs one key'],
    [['schema', 'x'], '`config schema` takes no arguments'],
    [['get', '--remove'], '--remove only applies to'],
    [['set', 'limits.maxRounds', 'a: b'], 'the value for limits.maxRounds is neither plain nor in brackets'],
    [
      ['set', 'models.chat.apiKey', 'CANARY'],
      'looks like a secret, and config.yaml never holds secrets. Store it with `bulkhead config secret NAME`',
    ],
    [['secret', '--remove'], '`config secret --remove` needs a name'],
    [['secret', 'A_KEY'], 'there is no terminal to ask on. Give the value on standard input'],
    [['secret', 'A_KEY', 'CANARY'], 'a secret on the command line would stay'],
    [['secret', 'sk-CANARY', '-'], 'a secret is named like an environment variable'],
    [['secret', 'A_KEY', '-'], 'nothing was given: no secret is stored'],
  ])('refuses %j in one line, exit 2, and writes nothing', async (words, part) => {
    const { code, out, err } = await call(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(part);
    expect(err).toMatch(/^bulkhead: [^\n]+\n$/);
    expect(err).not.toContain('CANARY');
    expect(existsSync(home.layout.root)).toBe(false);
  });

  it('leaves the file byte for byte when the result would not be valid [D3]', async () => {
    write('# mine\nlimits: { maxRounds: 3 }\n');
    const { code, out, err } = await call(['set', 'policy', 'strict', 'limits.maxRounds', '0']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('was not changed, it would not be valid: limits.maxRounds: ');
    expect(read()).toBe('# mine\nlimits: { maxRounds: 3 }\n');
  });

  it('takes a negative number for a value: what is wrong is the value', async () => {
    const { code, err } = await call(['set', 'spend.perDay', '-1']);
    expect(code).toBe(1);
    expect(err).toContain('spend.perDay: needs a number above 0');
    expect(err).not.toContain('option');
    expect(existsSync(home.layout.config)).toBe(false);
  });

  it('makes a list of models by its places', async () => {
    const words = ['models.fallback.0.model', 'rules', 'models.fallback.0.provider', 'offline'];
    expect((await call(['set', ...words])).code).toBe(0);
    expect((await call(['get', 'models.fallback.0.model'])).out).toBe(
      'models.fallback.0.model: rules  # config.yaml:3\n',
    );
  });

  it('stores secrets outside of config.yaml and shows names only [D3]', async () => {
    expect((await call(['secret'])).out).toBe(`no secrets in ${home.layout.secrets}\n`);
    const outputs = [
      await call(['secret', 'B_KEY', '-'], { stdin: 'CANARY-1\n' }),
      await call(['secret', 'A_KEY', '-'], { stdin: ' CANARY-2 ', env: { A_KEY: 'CANARY-3' } }),
      await call(['secret', 'C_KEY', '-'], { stdin: 'CANARY\nof two lines' }),
      await call(['secret']),
      await call(['secret', '--json']),
      await call(['get']),
    ];
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 2, 0, 0, 0]);
    expect(JSON.stringify(outputs)).not.toContain('CANARY');
    expect(outputs[1]?.err).toBe('A_KEY is also set in the environment, which takes precedence.\n');
    expect(outputs[3]?.out).toBe('A_KEY\nB_KEY\n');
    expect(JSON.parse(outputs[4]?.out ?? '')).toEqual(['A_KEY', 'B_KEY']);
    expect(JSON.parse(readFileSync(home.layout.secrets, 'utf8'))).toEqual({
      A_KEY: 'CANARY-2',
      B_KEY: 'CANARY-1',
    });
    expect(statSync(home.layout.secrets).mode & 0o777).toBe(0o600);
    expect(existsSync(home.layout.config)).toBe(false);
    expect((await call(['secret', 'A_KEY', '--remove'])).out).toBe(
      `removed A_KEY from ${home.layout.secrets}\n`,
    );
    expect(await call(['secret', 'A_KEY', '--remove'])).toMatchObject({ code: 1, out: '' });
    expect((await call(['secret'])).out).toBe('B_KEY\n');
  });

  it('does not touch secrets that others can read', async () => {
    await call(['secret', 'A_KEY', '-'], { stdin: 'CANARY' });
    chmodSync(home.layout.secrets, 0o644);
    for (const words of [['secret'], ['secret', 'B_KEY', '-'], ['secret', 'A_KEY', '--remove']]) {
      const { code, err } = await call(words, { stdin: 'CANARY' });
      expect(code).toBe(1);
      expect(err).toContain(`Run: chmod 600 ${home.layout.secrets}`);
      expect(err).not.toContain('CANARY');
    }
  });

  it('asks without showing what is typed', async () => {
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stdout', 'stderr'] });
    const done = dispatch(['config', 'secret', 'A_KEY'], environment);
    await environment.until('A_KEY (not shown): ');
    environment.stdin.write('CANARX\x7fY\r');
    expect(await done).toBe(0);
    expect(environment.out() + environment.err()).not.toContain('CANAR');
    expect(JSON.parse(readFileSync(home.layout.secrets, 'utf8'))).toEqual({ A_KEY: 'CANARY' });
  });

  it.each(['\x03', '\x04'])('stores nothing when cancelled: %j', async (character) => {
    const environment = testEnvironment(home.layout, { terminal: ['stdin', 'stdout', 'stderr'] });
    const done = dispatch(['config', 'secret', 'A_KEY'], environment);
    await environment.until('(not shown): ');
    environment.stdin.write(character);
    expect(await done).toBe(130);
    expect(existsSync(home.layout.secrets)).toBe(false);
  });

  it('shows nothing on a real terminal, nor in the list of processes', async () => {
    using bundle = await bundleForTest();
    const child = spawn(
      'script',
      ['-qec', `'${process.execPath}' '${bundle.cli}' config secret A_KEY`, '/dev/null'],
      {
        env: { PATH: process.env['PATH'], BULKHEAD_HOME: home.layout.root },
      },
    );
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (text.includes('(not shown): ')) child.stdin.write('CANARY\r');
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect({ status, screen }).toEqual({ status: 0, screen: expect.stringContaining('stored A_KEY in ') });
    expect(screen).not.toContain('CANARY');
    expect(JSON.parse(readFileSync(home.layout.secrets, 'utf8'))).toEqual({ A_KEY: 'CANARY' });
  });
});

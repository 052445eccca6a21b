import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { shareOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import type { CliResult } from './support/cli-process.ts';
import { useSharedStage, useStage } from './support/use-stage.ts';

const stage = useStage();

/** One line that says it all; nothing of the inside shows. */
function expectOneLine(result: CliResult, code: number, line: RegExp): void {
  expect(result.errors).toEqual([expect.stringMatching(line)]);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
  expect(result.stderr).not.toMatch(/\bat (file:|async |\S+ \()|node:internal|\.ts:\d|\[object/);
}

const isRoot = process.getuid?.() === 0;

describe('errors on the command line', () => {
  const WRONG: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['an unknown flag', ['run', '--jsn', 'x'], 2, /unknown option --jsn.*did you mean --json.*run --help/],
    ['an unknown command', ['rnu', 'x'], 2, /unknown command "rnu".*did you mean "run".*help/],
    ['a flag without its value', ['run', 'x', '--cwd'], 2, /--cwd needs a value/],
    ['an empty prompt', ['run', ' '], 2, /no prompt.*bulkhead run "/],
    ['no prompt at all', ['run'], 2, /no prompt/],
    ['empty standard input', ['run', '-'], 2, /standard input is empty/],
    ['a folder that is missing', ['run', '--cwd', 'nowhere', 'x'], 2, /work\/nowhere does not exist.*--cwd/],
    [
      'a folder that is a file',
      ['run', '--cwd', 'file.txt', 'x'],
      2,
      /work\/file\.txt is not a folder.*--cwd/,
    ],
    ['the whole machine as folder', ['run', '--cwd', '/', 'x'], 2, /whole machine.*--cwd/],
    ['a number that is none', ['run', '--max-rounds', 'many', 'x'], 2, /--max-rounds.*"many"/],
    ['an approval that is none', ['run', '--approve', 'maybe', 'x'], 2, /--approve.*"maybe"/],
    ['a model without provider', ['run', '--model', 'gpt', 'x'], 2, /PROVIDER\/MODEL.*"gpt"/],
    ['an address that is none', ['run', '--base-url', 'here', 'x'], 2, /--base-url.*"here"/],
    [
      'an unknown verb of sessions',
      ['sessions', 'frok', 'x'],
      2,
      /sessions frok.*did you mean "fork".*--help/,
    ],
    ['no day', ['usage', '--from', 'yesterday'], 2, /--from.*"yesterday"/],
    ['a command that is not built', ['cron', 'list'], 2, /cron.*not built yet/],
  ];
  it.each(shareOf(WRONG, 6))('%s: one line and exit code', async (_what, args, code, line) => {
    stage().write('file.txt', '');
    expectOneLine(await stage().cli(args), code, line);
  });

  it.skipIf(isRoot)('a folder that can not be read', async () => {
    stage().write('closed/file.txt', '');
    chmodSync(join(stage().folder, 'closed'), 0);
    const result = await stage().cli(['run', '--cwd', 'closed', 'x']);
    chmodSync(join(stage().folder, 'closed'), 0o700);
    expectOneLine(result, 2, /closed can not be read.*--cwd/);
  });

  it('token without an engine', async () => {
    expectOneLine(await stage().cli(['token']), 1, /(no engine runs|no engine ran here).*bulkhead start/);
  });
});

describe('errors in requests to a running engine', () => {
  const stage = useSharedStage();

  it.each<[string, readonly string[], number, RegExp]>([
    [
      'an export of no kind',
      ['sessions', 'export', 'nope', '--format', 'pdf'],
      2,
      /jsonl or html, not "pdf"/,
    ],
    ['a session that is not there', ['run', '--session', 'nope', 'x'], 1, /no session nope.*sessions list/],
    ['a session to show that is not there', ['sessions', 'show', 'nope'], 1, /no session nope/],
    [
      'entries of a session that is not there',
      ['sessions', 'show', 'nope', '--entries'],
      1,
      /no session nope/,
    ],
    ['a session to export that is not there', ['sessions', 'export', 'nope'], 1, /no session nope/],
    [
      'a file to import that is not there',
      ['sessions', 'import', 'nope.jsonl'],
      2,
      /nope\.jsonl can't be read/,
    ],
  ])('%s: one line and exit code', async (_what, args, code, line) => {
    await stage().withEngine();
    expectOneLine(await stage().cli(args), code, line);
  });
});

describe('errors in the configuration', () => {
  const WRONG: readonly (readonly [string, string, number, RegExp])[] = [
    ['an unknown key', 'modles: {}\n', 1, /config\.yaml:2:1: unknown key "modles".*Known keys here: models/],
    [
      'an unknown key deep inside',
      'limits:\n  rounds: 3\n',
      1,
      /config\.yaml:3:3: unknown key "limits\.rounds".*maxRounds/,
    ],
    ['a wrong value', 'limits: { maxRounds: 0 }\n', 1, /config\.yaml:2:\d+: limits\.maxRounds/],
    ['a text that is no YAML', 'models: { chat: \n', 1, /config\.yaml:\d+:\d+: /],
    ['a key given twice', 'policy: strict\npolicy: default\n', 1, /config\.yaml:3:\d+: .*(twice|unique)/],
    [
      'a policy that is not there',
      'policy: mine\n',
      1,
      /mine\.yaml is not there.*bulkhead config set policy/,
    ],
    [
      'an unknown provider',
      'models: { chat: { provider: acme, model: m } }\n',
      1,
      /config\.yaml:2:\d+: models\.chat\.provider: not a known provider; known: .*anthropic/,
    ],
    [
      'a provider without its key',
      'models: { chat: { provider: anthropic, model: m } }\n',
      1,
      /no key for anthropic: ANTHROPIC_API_KEY is not set.*bulkhead config secret ANTHROPIC_API_KEY/,
    ],
    [
      'a provider without its address',
      'models: { chat: { provider: openai-compatible, model: m } }\n',
      1,
      /baseUrl/,
    ],
  ];
  it.each(shareOf(WRONG, 4))('%s: one line and exit code', async (_what, yaml, code, line) => {
    stage().configure(yaml);
    expectOneLine(await stage().cli(['run', 'x']), code, line);
  });

  it('a policy that can not be read as one names its line', async () => {
    await stage().cli(['run', 'say hi']);
    await stage().cli(['stop']);
    writeFileSync(
      join(stage().layout.policies, 'mine.yaml'),
      'version: 1\nname: mine\nrules:\n  deny: []\n  verify: []\n  allow: []\n  alow: []\n',
    );
    stage().configure('policy: mine\n');
    expectOneLine(await stage().cli(['run', 'x']), 1, /mine\.yaml:7:3: .*alow/);
  });

  it('a port that another program has', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      writeFileSync(stage().layout.config, `server: { port: ${port} }\n`);
      expectOneLine(
        await stage().cli(['run', 'x']),
        1,
        new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken.*server\\.port in config\\.yaml`),
      );
    } finally {
      server.close();
    }
  });
});

describe('errors in the home', () => {
  it('a second engine is refused and the first one stays', async () => {
    await stage().cli(['start', '--daemon']);
    const before = await stage().status();
    expectOneLine(
      await stage().cli(['start', '--daemon']),
      1,
      /an engine runs on .*home already.*bulkhead stop/,
    );
    expectOneLine(await stage().cli(['run', '--isolated', 'x']), 1, /uses .*bulkhead stop/);
    expect((await stage().status()).engine).toBe(before.engine);
  });

  it('a home that is a file', async () => {
    const home = join(stage().folder, 'home.txt');
    stage().write('home.txt', '');
    expectOneLine(await stage().cli(['run', 'x'], { env: { BULKHEAD_HOME: home } }), 1, homeLine(home));
  });

  it('a home that can not be written', async () => {
    // No one, not even root, can make a folder there.
    const home = '/sys/bulkhead-home';
    expectOneLine(await stage().cli(['run', 'x'], { env: { BULKHEAD_HOME: home } }), 1, homeLine(home));
  });

  it('the home as working folder', async () => {
    expectOneLine(
      await stage().cli(['run', '--cwd', stage().layout.root, 'x']),
      2,
      /can't be a working folder: it belongs to Bulkhead itself.*--cwd/,
    );
  });

  it('a damaged database is reported and left as it is', async () => {
    await stage().cli(['run', 'say hi']);
    await stage().cli(['stop']);
    const data = "this is no database, but it is somebody's data\n".repeat(200);
    writeFileSync(stage().layout.database, data);
    expectOneLine(await stage().cli(['run', 'x']), 1, /bulkhead\.db/);
    expect(readFileSync(stage().layout.database, 'utf8')).toBe(data);
  });
});

const homeLine = (home: string): RegExp => new RegExp(`home ${home} .*BULKHEAD_HOME`);

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { KEY as KEYS, TerminalProcess } from './support/terminal-process.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useStage();

const KEY = 'typed-at-a-terminal-Zq8vK2mN4xR7';
const SECOND = 'another-key-of-it-Pw3tB6yH9cLd';

/** Whose server takes these keys. */
function serve(): Promise<ScriptedModelServer> {
  return stage().serve(({ headers }) =>
    [`Bearer ${KEY}`, `Bearer ${SECOND}`].includes(headers['authorization'] ?? '')
      ? { text: 'ready' }
      : { error: { status: 401, message: 'Incorrect API key provided' } },
  );
}

const config = () => readFileSync(stage().layout.config, 'utf8');
const secrets = () =>
  existsSync(stage().layout.secrets) ? readFileSync(stage().layout.secrets, 'utf8') : '';

/** `bulkhead init` at a terminal. */
function terminal(args: readonly string[] = []): TerminalProcess {
  const { PATH = '/usr/bin:/bin' } = process.env;
  return new TerminalProcess(['init', ...args], {
    cwd: stage().folder,
    columns: 140,
    env: {
      PATH,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      OLLAMA_HOST: '127.0.0.1:1',
      HOME: stage().userHome,
      BULKHEAD_HOME: stage().layout.root,
    },
  });
}

describe('bulkhead init', () => {
  it('asks, says what failed, asks again with what was answered, and saves what works [I1]', async () => {
    const server = await serve();
    await using screen = terminal();
    await screen.shows('Number or name');
    screen.type(`openai-compatible${KEYS.enter}`);
    await screen.shows('Address of the API');
    screen.type(`${server.url}/v1${KEYS.enter}`);
    await screen.shows('Key (not shown');
    screen.type(`wrong${KEYS.enter}`);
    await screen.shows(/^Model:/m);
    screen.type(`m${KEYS.enter}`);
    await screen.shows('Incorrect API key');
    await screen.shows('Change your answers');
    expect([secrets(), config().includes('models')]).toEqual(['', false]);
    screen.type(`y${KEYS.enter}`);
    await screen.shows('Number or name [openai-compatible]');
    screen.type(KEYS.enter);
    await screen.shows(`[${server.url}/v1]`);
    screen.type(KEYS.enter);
    await screen.shows(/Key \(not shown[\s\S]*Key \(not shown/);
    screen.type(`${KEY}${KEYS.enter}`);
    await screen.shows('Model [m]');
    screen.type(KEYS.enter);
    await screen.shows('openai-compatible/m answers from now on');
    expect(await screen.ended()).toBe(0);
    expect(screen.everything).not.toContain(KEY);
    expect(secrets()).toContain(KEY);
    const { stdout } = await stage().cli(['run', 'hello']);
    expect(stdout).toBe('ready\n');
  });

  it('asks again for a key that is needed, and says that none is possible [I1]', async () => {
    await using screen = terminal();
    await screen.shows('Number or name [anthropic]');
    screen.type(KEYS.enter);
    await screen.shows('Key (not shown): ');
    screen.type(KEYS.enter);
    await screen.shows('anthropic needs a key. Paste it (nothing is shown)');
    screen.type(KEYS.enter);
    await screen.shows('Model [');
    screen.type(KEYS.enter);
    await screen.shows('no key for anthropic');
    await screen.shows('Change your answers');
    screen.type(KEYS.ctrlC);
    expect(await screen.ended()).toBe(130);
  });

  it('changes nothing when it is left by Ctrl-C, wherever [I1]', async () => {
    const server = await serve();
    const before = config();
    const answers = ['openai-compatible', `${server.url}/v1`, KEY];
    const questions = ['Number or name', 'Address of the API', 'Key (not shown', 'Model:'];
    for (const [at, last] of questions.entries()) {
      await using screen = terminal();
      for (const [place, answer] of answers.slice(0, at).entries()) {
        await screen.shows(questions[place] ?? '');
        screen.type(`${answer}${KEYS.enter}`);
      }
      await screen.shows(last);
      screen.type(KEYS.ctrlC);
      expect([last, await screen.ended()]).toEqual([last, 130]);
      expect([config(), secrets()]).toEqual([before, '']);
    }
    expect(server.requests).toEqual([]);
  });

  it('runs unattended with options, may be run again, and keeps comments [I1]', async () => {
    const server = await serve();
    stage().configure('# mine\nlimits: { maxRounds: 7 } # few\n');
    const model = ['--model', 'openai-compatible/m', '--base-url', `${server.url}/v1`];
    const refused = await stage().cli(['init', ...model, '--key-stdin', '--json'], { stdin: 'wrong\n' });
    expect(refused.code).toBe(4);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, code: 'auth_permanent' });
    expect([secrets(), config().includes('models')]).toEqual(['', false]);
    const made = await stage().cli(['init', ...model, '--key-stdin', '--json'], { stdin: `${KEY}\n` });
    const { milliseconds, key, ...facts } = JSON.parse(made.stdout);
    expect(facts).toEqual({ ok: true, model: 'openai-compatible/m', changed: true });
    expect([typeof milliseconds, key]).toEqual([
      'number',
      expect.stringMatching(/^API_KEY_OF_127_0_0_1_\d+_/),
    ]);
    expect(config()).toContain('# mine\nlimits: { maxRounds: 7 } # few\n');
    const after = config();
    const again = await stage().cli(['init', '--yes', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, changed: false });
    expect(config()).toBe(after);
    const other = await stage().cli(['init', '--yes', '--key-stdin'], { stdin: SECOND });
    expect([other.code, other.stdout]).toEqual([0, 'openai-compatible/m answers from now on\n']);
    expect([secrets().includes(SECOND), secrets().includes(KEY)]).toEqual([true, false]);
    for (const { stdout, stderr } of [refused, made, again, other])
      expect(stdout + stderr).not.toContain(KEY);
  });

  it('says what is missing where there is no terminal to ask on', async () => {
    const asked = await stage().cli(['init']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('no terminal to ask on')]);
    const none = await stage().cli(['init', '--yes']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no model is configured')]);
    const missing = await stage().cli(['init', '--model', 'anthropic/claude-sonnet-5-5', '--no-test']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('ANTHROPIC_API_KEY')]);
    expect(config()).not.toContain('anthropic');
  });

  it('offers the programs of the home folder, and lets commands of every folder run them [A6]', async () => {
    const folder = join(stage().userHome, '.tools/bin');
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, 'greet'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
    mkdirSync(join(stage().userHome, '.local/bin'), { recursive: true, mode: 0o755 });
    symlinkSync('../../.tools/bin/greet', join(stage().userHome, '.local/bin/greet'));
    await using screen = terminal(['--no-test']);
    await screen.shows('Number or name');
    screen.type(`offline${KEYS.enter}`);
    await screen.shows(/^Model/m);
    screen.type(KEYS.enter);
    await screen.shows('Let commands in every folder run them?');
    expect(screen.everything).toContain('~/.local/bin');
    expect(screen.everything).toContain('with ~/.tools');
    screen.type(`y${KEYS.enter}`);
    await screen.shows('answers from now on');
    expect(await screen.ended()).toBe(0);
    await stage().cli(['stop']);
    await stage().model([{ toolCalls: [bash('greet')] }, { text: 'done' }]);
    const { events } = await stage().cli(['run', '--json', 'go']);
    expect(ofType(events, 'tool_output').map(({ text }) => text)).toEqual(['hello\n']);
    expect(ofType(events, 'action_started')).toHaveLength(1);
  });
});

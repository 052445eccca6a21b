import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeConfig } from './change-config.ts';
import { loadConfig } from './load-config.ts';

const COMMENTED = `# My configuration.

# Which model.
models:
  # The good one.
  chat: # main
    provider: anthropic # whose
    model: 'claude-x'

  fallback: [ { provider: offline, model: rules } ] # in need
# How far.
limits: { maxRounds: 30 } # enough
policy: strict
# The end.
`;

function commentsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)# .*$/gm)].map(([comment]) => comment.trim()).toSorted();
}

describe('changeConfig, given what it can not set', () => {
  let layout: HomeLayout;
  let folder: string;
  const read = () => readFileSync(layout.config, 'utf8');
  const start = (text: string) => writeFileSync(layout.config, text);
  const set = (key: string, value: string) => changeConfig(layout, [{ key, value }]);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-change-'));
    layout = homeLayout(join(folder, 'home'));
    mkdirSync(layout.root, { mode: 0o700 });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['', 'models:\n  fallback:\n    - provider: offline\n      model: rules\n'],
    [
      'models:\n  fallback: [] # none yet\n  # more\n',
      'models:\n  fallback:\n    - provider: offline\n      model: rules\n    # none yet\n  # more\n',
    ],
    [
      'models:\n  fallback:\npolicy: strict\n',
      'models:\n  fallback:\n    - provider: offline\n      model: rules\npolicy: strict\n',
    ],
  ])('makes the list, and the first place in it, in %j', (before, after) => {
    start(before);
    changeConfig(layout, [
      { key: 'models.fallback.0.provider', value: 'offline' },
      { key: 'models.fallback.0.model', value: 'rules' },
    ]);
    expect(read()).toBe(after);
    expect(loadConfig(layout.config).models.fallback).toEqual([{ provider: 'offline', model: 'rules' }]);
  });

  it('adds the next place to a list, and no later one', () => {
    start(COMMENTED);
    const add = (place: number) =>
      changeConfig(layout, [
        { key: `models.fallback.${place}.model`, value: 'm' },
        { key: `models.fallback.${place}.provider`, value: 'openai' },
      ]);
    expect(() => add(2)).toThrow('models.fallback.2 is not there, the next place of models.fallback is 1');
    expect(read()).toBe(COMMENTED);
    add(1);
    expect(loadConfig(layout.config).models.fallback).toEqual([
      { provider: 'offline', model: 'rules' },
      { provider: 'openai', model: 'm' },
    ]);
    expect(commentsOf(read())).toEqual(commentsOf(COMMENTED));
  });

  it.each([
    [
      'models.fallback.0.model',
      'm',
      'bulkhead config set models.fallback.0.model VALUE models.fallback.0.provider VALUE',
    ],
    ['models.title.price.input', '1', 'models.title.provider VALUE'],
    ['limits.maxRounds', 'many', undefined],
    ['models', '{ chat: { provider: nobody, model: m } }', undefined],
  ])(
    'says which keys are to be set at once with %s = %s, only where one is missing',
    (key, value, needed) => {
      start('# mine\n');
      try {
        set(key, value);
        expect.unreachable();
      } catch (error) {
        const fix = String(Reflect.get(Object(error), 'fix'));
        if (needed === undefined) expect(fix).not.toContain('at once');
        else expect(fix).toMatch(/^Keys that need one another are set at once: /);
        expect(fix).toContain(needed ?? 'docs/configuration.md');
      }
    },
  );

  it('can mend a file that is not valid', () => {
    start('limits:\n  maxRounds: many # oops\n');
    set('limits.maxRounds', '4');
    expect(read()).toBe('limits:\n  maxRounds: 4 # oops\n');
  });

  it.each([
    ['limits.maxRounds', 'many', 'config_invalid'],
    ['limits.maxRounds', '0', 'config_invalid'],
    ['limits.maxRounds', '', 'usage'],
    ['limits.maxRounds', 'null', 'usage'],
    ['limits.maxRounds', '{', 'usage'],
    ['limits.maxRounds', 'a: b', 'usage'],
    ['limits.maxRounds', '&a 3', 'usage'],
    ['limits.maxRounds', '!!int 3', 'usage'],
    ['limits', '{ maxRounds: 3, more: 4 }', 'config_invalid'],
    ['limits.maxRounds.more', '3', 'usage'],
    ['models.chat.provider', 'nobody', 'config_invalid'],
    ['models.chat.apiKey', 'CANARY', 'usage'],
    ['models.chat.apiKeyEnv', 'sk-CANARY', 'config_invalid'],
    ['models.chat.baseUrl', 'https://a:CANARY@b', 'config_invalid'],
    ['models.fallback.5.model', 'm', 'config_invalid'],
    ['models.fallback.1.model', 'm', 'config_invalid'],
    ['spend.perDay', '-1', 'config_invalid'],
    ['constructor', '1', 'usage'],
    ['__proto__.x', '1', 'usage'],
  ])('refuses %s = %j and leaves the file byte for byte [D3]', (key, value, code) => {
    start(COMMENTED);
    chmodSync(layout.config, 0o640);
    const before = statSync(layout.config);
    try {
      set(key, value);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code });
      expect(JSON.stringify([String(error), error])).not.toContain('CANARY');
    }
    expect(read()).toBe(COMMENTED);
    expect(statSync(layout.config)).toMatchObject({
      ino: before.ino,
      mtimeMs: before.mtimeMs,
      mode: before.mode,
    });
  });

  it('says the line where the file itself is no YAML', () => {
    start('limits: {\npolicy: strict\n');
    expect(() => set('policy', 'default')).toThrow(/config\.yaml/);
    expect(read()).toBe('limits: {\npolicy: strict\n');
  });
});

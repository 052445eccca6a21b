import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeConfig } from './change-config.ts';
import { loadConfig, parseConfig } from './load-config.ts';

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

/** Valid values for keys, some with quotes. */
const CHANGES: readonly (readonly [key: string, value: string, read: unknown])[] = [
  ['limits.maxRounds', '7', 7],
  ['limits.maxOutputTokens', '1_000'.replace('_', ''), 1_000],
  ['timeouts.idleSeconds', '1.5', 1.5],
  ['retry.enabled', 'false', false],
  ['retry.jitter', 'true', true],
  ['spend.perDay', '0.25', 0.25],
  ['queues.steer', 'one', 'one'],
  ['models.chat.model', '5', '5'],
  ['models.chat.model', '"a: b #c"', 'a: b #c'],
  ['models.chat.thinking', 'off', 'off'],
  ['models.chat.price', '{ input: 1, output: 2 }', { input: 1, output: 2 }],
  ['models.title', '{ provider: offline, model: rules }', { provider: 'offline', model: 'rules' }],
  ['models.fallback', '[]', []],
  ['models.fallback.0.model', '@x/y', '@x/y'],
  ['server.port', '0', 0],
  ['policy', 'permissive', 'permissive'],
];

const TYPES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

function commentsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)# .*$/gm)].map(([comment]) => comment.trim()).toSorted();
}

describe('changeConfig', () => {
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

  it('makes the home and a file for its owner only', () => {
    rmSync(layout.root, { recursive: true });
    expect(set('limits.maxRounds', '3')).toBe(true);
    expect(read()).toBe('limits:\n  maxRounds: 3\n');
    expect(statSync(layout.config).mode & 0o777).toBe(0o600);
    expect(statSync(layout.root).mode & 0o777).toBe(0o700);
    expect(readdirSync(layout.root).toSorted()).toEqual(['config.yaml', 'state']);
  });

  it('changes what was asked for and keeps comments and order', () => {
    start(COMMENTED);
    set('models.chat.model', 'claude-y');
    set('limits.maxOutputTokens', '100');
    set('retry.maxRetries', '5');
    expect(read()).toBe(
      COMMENTED.replace("'claude-x'", 'claude-y')
        .replace('{ maxRounds: 30 }', '{ maxRounds: 30, maxOutputTokens: 100 }')
        .replace('chat: # main\n', 'chat:\n    # main\n')
        .replace('# The end.\n', 'retry:\n  maxRetries: 5\n\n# The end.\n'),
    );
  });

  // Hundreds of flushes: slow on a busy disk.
  it('keeps every comment, stays valid and changes nothing else, whatever is set [D3]', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...CHANGES], { minLength: 1 }), (changes) => {
        start(COMMENTED);
        const expected = structuredClone(loadConfig(layout.config));
        // After a change of the whole list, a place in it may no longer exist.
        const fitting = changes.filter(
          ([key]) =>
            !key.startsWith('models.fallback.') || !changes.some(([other]) => other === 'models.fallback'),
        );
        for (const [key, value, result] of fitting) {
          set(key, value);
          put(expected, key.split('.'), result);
        }
        expect(loadConfig(layout.config)).toEqual(expected);
        expect(commentsOf(read())).toEqual(commentsOf(COMMENTED));
      }),
      { numRuns: sweepOf(20, 60) },
    );
  });

  it('takes any model name as it stands or quoted, but for what no one sees', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
          .filter((text) => !/^\s*["']|[\p{C}\p{Zl}\p{Zp}]/u.test(text)),
        (name) => {
          start(COMMENTED);
          set('models.chat.model', name);
          expect(loadConfig(layout.config).models.chat?.model).toBe(name);
          set('models.chat.model', JSON.stringify(name));
          expect(loadConfig(layout.config).models.chat?.model).toBe(name);
          expect(commentsOf(read())).toEqual(expect.arrayContaining(commentsOf(COMMENTED)));
        },
      ),
      { numRuns: sweepOf(20, 60) },
    );
    for (const hidden of ['\u2028', '\u200b', '\n'])
      expect(() => set('models.chat.model', `a${hidden}b`)).toThrow('was not changed');
  });

  it('takes a key away, and with it the groups that become empty; comments above it stay', () => {
    start(COMMENTED);
    changeConfig(layout, [{ key: 'limits.maxRounds' }]);
    changeConfig(layout, [{ key: 'models.chat' }]);
    expect(read()).toBe(
      '# My configuration.\n\n# Which model.\nmodels:\n  # The good one.\n  fallback: [ { provider: offline, model: rules } ] # in need\n# How far.\npolicy: strict\n\n# The end.\n',
    );
    changeConfig(layout, [{ key: 'models.fallback' }]);
    changeConfig(layout, [{ key: 'policy' }]);
    expect(loadConfig(layout.config).policy).toBe('default');
    for (const comment of [
      '# My configuration.',
      '# Which model.',
      '# The good one.',
      '# How far.',
      '# The end.',
    ]) {
      expect(read()).toContain(comment);
    }
    expect(changeConfig(layout, [{ key: 'policy' }])).toBe(false);
    set('policy', 'strict');
    expect(loadConfig(layout.config).policy).toBe('strict');
  });

  it('changes several keys that need one another at once', () => {
    expect(() => set('models.chat.provider', 'offline')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('models.chat.model'),
        fix: expect.stringContaining('at once'),
      }),
    );
    expect(existsSync(layout.config)).toBe(false);
    changeConfig(layout, [
      { key: 'models.chat.provider', value: 'offline' },
      { key: 'models.chat.model', value: 'rules' },
    ]);
    expect(loadConfig(layout.config).models.chat).toEqual({ provider: 'offline', model: 'rules' });
  });

  it('does not write through a link, nor into a home of others', () => {
    const elsewhere = join(folder, 'elsewhere.yaml');
    writeFileSync(elsewhere, 'policy: strict\n');
    symlinkSync(elsewhere, layout.config);
    expect(() => set('policy', 'default')).toThrow('is a symbolic link');
    expect(readFileSync(elsewhere, 'utf8')).toBe('policy: strict\n');
    chmodSync(layout.root, 0o777);
    expect(() => set('policy', 'default')).toThrow('others can write there');
  });

  it('loses no change of those made at the same time by other processes [D3]', async () => {
    start('# shared\n');
    const program = fileURLToPath(new URL('./change-config.child.ts', import.meta.url));
    const keys = ['limits.maxRounds', 'limits.maxOutputTokens', 'server.port'];
    const ends = keys.map(async (key) => {
      const child = spawn(process.execPath, [...TYPES, program, layout.root, key, '10'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [status] = await once(child, 'exit');
      return status;
    });
    expect(await Promise.all(ends)).toEqual(keys.map(() => 0));
    expect(loadConfig(layout.config)).toMatchObject({
      limits: { maxRounds: 19, maxOutputTokens: 19 },
      server: { port: 19 },
    });
    expect(read()).toContain('# shared');
  });

  it('reads what it writes, also from a file without a last line end', () => {
    start('policy: strict');
    set('limits.maxRounds', '3');
    expect(parseConfig(read(), 'x')).toMatchObject({ policy: 'strict', limits: { maxRounds: 3 } });
  });
});

function put(target: object, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    Reflect.set(target, first, value);
    return;
  }
  const inner = Reflect.get(target, first) ?? {};
  Reflect.set(target, first, inner);
  put(inner, rest, value);
}

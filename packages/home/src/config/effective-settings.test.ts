import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { effectiveSettings } from './effective-settings.ts';

describe('effectiveSettings', () => {
  let path: string;

  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'bulkhead-effective-')), 'config.yaml');
    writeFileSync(
      path,
      '# mine\nlimits:\n  maxRounds: 3\nmodels:\n  chat: { provider: offline, model: rules }\n  fallback:\n    - provider: offline\n      model: rules\n',
    );
  });

  afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

  it.each([
    ['limits.maxRounds', { value: 3, line: 3 }],
    ['limits.maxOutputTokens', { value: undefined, line: undefined, otherwise: "the model's own maximum" }],
    ['models.chat.model', { value: 'rules', line: 5 }],
    ['models.chat.thinking', { value: undefined, line: undefined, otherwise: "the provider's" }],
    ['server.port', { value: 7_411, line: undefined }],
    ['models.fallback', { value: [{ provider: 'offline', model: 'rules' }], line: 6 }],
    ['models.fallback.0.model', { value: 'rules', line: 8 }],
    ['models.fallback.1.model', { value: undefined, line: undefined }],
    ['models.title.model', { value: undefined, line: undefined }],
    ['spend.perDay', { value: undefined, line: undefined, otherwise: 'no cap' }],
  ])('knows value and line of %s', (key, expected) => {
    expect(effectiveSettings(path, key)).toEqual([{ key, ...expected }]);
  });

  it('gives a group, and all that counts', () => {
    expect(effectiveSettings(path, 'models.chat')?.map(({ key }) => key)).toEqual([
      'models.chat.provider',
      'models.chat.model',
    ]);
    expect(effectiveSettings(path, 'models.fallback.0')?.map(({ line }) => line)).toEqual([7, 8]);
    const all = effectiveSettings(path) ?? [];
    expect(all.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['limits.maxRounds', 'policy', 'retry.jitter']),
    );
    const unset = all.filter(({ value }) => value === undefined);
    expect(Object.fromEntries(unset.map(({ key, otherwise }) => [key, otherwise]))).toEqual({
      'limits.maxOutputTokens': "the model's own maximum",
      'models.title': 'the chat model',
      'models.compaction': 'the chat model',
      'models.shield': 'none, a person is asked',
      'models.embedding': 'none',
      'models.subagent': 'the chat model',
      'server.workingFolder': 'one for each program, beside the home',
      'spend.perDay': 'no cap',
      'spend.perSession': 'no cap',
    });
  });

  it('says of a model that is not configured which one it is', () => {
    writeFileSync(path, '# nothing\n');
    const otherwise = 'chosen by keys, a local Ollama, or offline';
    expect(effectiveSettings(path, 'models.chat')).toEqual([
      { key: 'models.chat', value: undefined, line: undefined, otherwise },
    ]);
    expect(effectiveSettings(path)?.[0]).toMatchObject({ key: 'models.chat', otherwise });
  });

  it.each(['limits.rounds', 'constructor', '', '__proto__', 'models.chat.provider.more'])(
    'knows no %j',
    (key) => {
      expect(effectiveSettings(path, key)).toBeUndefined();
    },
  );

  it('gives nothing of a file that is not valid', () => {
    writeFileSync(path, 'limits:\n  maxRounds: 3\n  more: 4\n');
    expect(() => effectiveSettings(path, 'limits.maxRounds')).toThrow(':3:3: unknown key');
  });
});

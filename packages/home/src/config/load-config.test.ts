import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, parseConfig } from './load-config.ts';

const parse = (text: string) => parseConfig(text, 'config.yaml');

describe('loadConfig', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-config-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has a default for everything that needs a value [D3]', () => {
    const defaults = {
      models: { fallback: [] },
      limits: { maxRounds: 200 },
      timeouts: {
        firstTokenSeconds: 60,
        idleSeconds: 60,
        answerSeconds: 1_800,
        evaluationSeconds: 30,
        approvalSeconds: 300,
        clientToolSeconds: 300,
      },
      retry: {
        enabled: true,
        maxRetries: 3,
        baseDelaySeconds: 2,
        maxDelaySeconds: 60,
        jitter: false,
        cooldownSeconds: 60,
      },
      spend: {},
      queues: { steer: 'all', followUp: 'one' },
      compaction: { enabled: true, at: 0.7, keep: 0.3, models: [] },
      memory: { enabled: true, sessions: true, review: 'auto' },
      tools: {
        initial: 'core',
        web: { hosts: ['*'], allowHttp: [], allowPrivate: [] },
        memoryMiB: 3_072,
      },
      chronicle: { snapshots: 100, days: 30, maxBytes: 5_000_000_000 },
      agents: { max: 16, idleSeconds: 60, memoryMiB: 2_048 },
      box: { maxBytes: 2_147_483_648 },
      pools: { workers: 8, commands: 16 },
      server: {},
      shield: { evaluationsPerMinute: 30, evaluationsPerDay: 500, classifier: 'escalate' },
      secrets: { store: 'file' },
      profile: 'default',
      policy: 'default',
      audit: { witnesses: [], onWitnessProblem: 'warn', witnessTimeoutSeconds: 5 },
    };
    expect(loadConfig(join(folder, 'missing.yaml'))).toEqual(defaults);
    writeFileSync(join(folder, 'config.yaml'), '# nothing yet\n');
    expect(loadConfig(join(folder, 'config.yaml'))).toEqual(defaults);
  });

  it('takes every role with everything it can say', () => {
    const role = {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKeyEnv: 'MY_KEY',
      contextWindow: 32_000,
      maxOutputTokens: 2_000,
      thinking: 'medium',
      price: { input: 1, output: 2.5, cachedInput: 0.1 },
    };
    const names = ['chat', 'title', 'compaction', 'shield', 'embedding', 'subagent'];
    const models = { ...Object.fromEntries(names.map((name) => [name, role])), fallback: [role, role] };
    expect(parse(JSON.stringify({ models })).models).toEqual(models);
  });

  it.each([
    ['limits:\n  maxRound: 3\n', 'config.yaml:2:3: unknown key "limits.maxRound"'],
    ['limits:\n  maxRounds: 0\n', 'config.yaml:2:3: limits.maxRounds: needs a number that is at least 1'],
    ['limits:\n', 'config.yaml:1:1: limits: needs a group of keys, not nothing'],
    ['models: { fallback: x }\n', 'models.fallback: needs a list, not a text'],
    ['policy: 5\n', 'policy: needs a text, not a number'],
    [
      'models:\n  chat:\n    provider: antropic\n    model: m\n',
      'config.yaml:3:5: models.chat.provider: not a known provider; known: anthropic, ',
    ],
    [
      'models:\n  chat:\n    provider: anthropic\n',
      'config.yaml:2:3: models.chat.model: is missing, it needs a text',
    ],
    ['models:\n  chat:\n    model: m\n', 'models.chat.provider: is missing; known: anthropic, '],
    ['models: { chat: { provider: openai, model: "" } }\n', 'models.chat.model: must not be empty'],
    [
      'models: { chat: { provider: openai, model: "a\\u202eb" } }\n',
      'models.chat.model: a name without line breaks',
    ],
    [
      'models: { chat: { provider: openai, model: "a\\nb" } }\n',
      'models.chat.model: a name without line breaks',
    ],
    [
      'models:\n  chat: { provider: offline, model: rules, thinking: hard }\n',
      'config.yaml:2:44: models.chat.thinking: needs one of off, low, medium, high',
    ],
    [
      'models:\n  chat:\n    provider: anthropic\n    model: m\n    baseUrl: nowhere\n',
      'config.yaml:5:5: models.chat.baseUrl: not an address',
    ],
    [
      'models:\n  fallback:\n    - { provider: offline, model: rules }\n    - { provider: x, model: m }\n',
      'config.yaml:4:9: models.fallback[1].provider: ',
    ],
    ['retry:\n  maxRetries: 21\n', 'config.yaml:2:3: retry.maxRetries: needs a number that is at most 20'],
    ['retry:\n  maxRetries: 1.5\n', 'retry.maxRetries: needs a whole number'],
    ['retry: { jitter: sometimes }\n', 'config.yaml:1:10: retry.jitter: needs true or false, not a text'],
    ['spend:\n  perDay: 0\n', 'config.yaml:2:3: spend.perDay: needs a number above 0'],
    ['spend:\n  perSession: 1 USD\n', 'config.yaml:2:3: spend.perSession: needs a number, not a text'],
    ['queues:\n  steer: none\n', 'config.yaml:2:3: queues.steer: '],
    ['secrets:\n  store: vault\n', 'config.yaml:2:3: secrets.store: '],
  ])('names line and fix of the mistake in %j [D3]', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringContaining(message),
        fix: expect.stringMatching(/^(Correct config\.yaml and try again|Known keys here: .*)\.$/),
      }),
    );
  });

  it.each([
    [
      'a key of its own',
      'models:\n  chat:\n    provider: anthropic\n    model: m\n    apiKey: CANARY\n',
      /^config\.yaml:5:5: .*looks like a secret.*bulkhead config secret NAME/,
    ],
    ['the top', 'OPENAI_API_KEY: CANARY\n', /^config\.yaml:1:1: .*looks like a secret/],
    [
      'the name of its variable',
      'models:\n  chat: { provider: anthropic, model: m, apiKeyEnv: sk-CANARY }\n',
      /apiKeyEnv: .*never the key itself/,
    ],
    [
      'an address',
      'models:\n  chat:\n    provider: anthropic\n    model: m\n    baseUrl: https://me:CANARY@host/v1\n',
      /baseUrl: .*keys go to/,
    ],
    [
      'a query',
      'models:\n  chat:\n    provider: anthropic\n    model: m\n    baseUrl: https://host/v1?key=CANARY\n',
      /baseUrl: .*keys go to/,
    ],
    ['the provider', 'models: { chat: { provider: CANARY, model: m } }\n', /not a known provider/],
    ['text that is no YAML', 'OPENAI_API_KEY: "CANARY\n', /^config\.yaml:/],
  ])('never takes a secret, and never repeats it: in %s [D3]', (_where, text, message) => {
    try {
      parse(text);
      expect.unreachable();
    } catch (error) {
      const told = JSON.stringify([error, String(error), Reflect.get(Object(error), 'fix')]);
      expect(String(Reflect.get(Object(error), 'message'))).toMatch(message);
      expect(told).not.toContain('CANARY');
    }
  });
});

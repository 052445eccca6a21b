import { BulkheadError } from '@bulkhead/protocol';
import { startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createModelClient } from './create-model-client.ts';
import type { KeySources, ModelSettings } from './model-settings.ts';
import { KNOWN_PROVIDERS, PROVIDER_TABLE } from './provider-table.ts';
import { readAnswer } from './testing/model-fixtures.ts';
import { WIRE_CASES } from './testing/wire-cases.ts';

const NO_KEYS: KeySources = { environment: {}, secret: () => undefined };

function refusal(settings: ModelSettings, keys: KeySources = NO_KEYS): BulkheadError {
  try {
    createModelClient(settings, keys);
  } catch (error) {
    if (BulkheadError.is(error)) return error;
  }
  throw new Error('it was not refused');
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('createModelClient', () => {
  it('names the variable and the command when a needed key is missing', () => {
    const error = refusal({ provider: 'anthropic', model: 'claude-x' });
    expect(error.code).toBe('missing_key');
    expect(error.message).toContain('ANTHROPIC_API_KEY');
    expect(error.fix).toContain('ANTHROPIC_API_KEY');
    expect(error.fix).toContain(
      '`bulkhead config secret ANTHROPIC_API_KEY` (takes effect immediately, without a restart)',
    );
    expect(error.fix).toContain('the engine was started without it');
  });

  it('takes a key from the environment or from stored secrets', () => {
    const settings = { provider: 'anthropic', model: 'claude-x' };
    const secret = (name: string): string | undefined => (name === 'ANTHROPIC_API_KEY' ? 'k' : undefined);
    expect(
      createModelClient(settings, { environment: { ANTHROPIC_API_KEY: 'k' }, secret: () => undefined }).name,
    ).toBe('anthropic/claude-x');
    expect(createModelClient(settings, { environment: {}, secret }).name).toBe('anthropic/claude-x');
  });

  it('uses a key name of the settings alone, even when the usual key is present', () => {
    const error = refusal(
      { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'MY_KEY' },
      { environment: { OPENAI_API_KEY: 'other' }, secret: () => undefined },
    );
    expect([error.code, error.message.includes('MY_KEY')]).toEqual(['missing_key', true]);
  });

  it('needs no key but a base URL for openai-compatible', () => {
    const settings = { provider: 'openai-compatible', model: 'm' };
    expect(refusal(settings)).toMatchObject({ code: 'config_invalid' });
    expect(createModelClient({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' }, NO_KEYS)).toMatchObject({
      name: 'openai-compatible/m',
      contextWindow: 128_000,
    });
  });

  it.each(['ftp://x/v1', 'not a url', 'http://user:pw@host/v1'])('refuses the base URL %s', (baseUrl) => {
    const error = refusal({ provider: 'openai-compatible', model: 'm', baseUrl });
    expect(error.code).toBe('config_invalid');
    expect(JSON.stringify([error.message, error.fix, error.details])).not.toContain('pw');
  });

  it.each(['gpt', 'constructor', '__proto__'])(
    'refuses the provider %s and lists the known ones',
    (provider) => {
      const error = refusal({ provider, model: 'm' });
      expect(error.code).toBe('config_invalid');
      for (const known of KNOWN_PROVIDERS) expect(error.fix).toContain(known);
    },
  );

  it('has the offline model without any key, and no other one of that provider [D1]', () => {
    expect(createModelClient({ provider: 'offline', model: 'rules' }, NO_KEYS).name).toBe('offline/rules');
    expect(refusal({ provider: 'offline', model: 'gpt' })).toMatchObject({ code: 'config_invalid' });
  });

  it('takes the context window of the settings', () => {
    const settings = {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: 'http://127.0.0.1:1',
      contextWindow: 4096,
    };
    expect(createModelClient(settings, NO_KEYS).contextWindow).toBe(4096);
  });

  it.each(WIRE_CASES)(
    '$wire takes its key and its address from what it is given, never from the environment of the process [P6] [FT98]',
    async ({ wire, basePath, key }) => {
      const decoy = await startScriptedModelServer([{ text: 'stolen' }]);
      const server = await startScriptedModelServer([{ text: 'a' }]);
      for (const name of PROCESS_KEYS) vi.stubEnv(name, 'canary-of-the-process');
      for (const name of PROCESS_ADDRESSES) vi.stubEnv(name, `${decoy.url}/v1`);
      const settings = { provider: wire, model: 'm', baseUrl: `${server.url}${basePath}` };
      if (key !== undefined && wire !== 'openai-compatible') {
        expect(refusal(settings)).toMatchObject({ code: 'missing_key', details: { variable: key.variable } });
      }
      const environment = key === undefined ? {} : { [key.variable]: 'given' };
      await readAnswer(createModelClient(settings, { environment, secret: () => undefined }));
      await Promise.all([decoy.close(), server.close()]);
      if (key !== undefined) expect(server.requests[0]?.headers[key.header]).toBe(`${key.prefix}given`);
      expect(JSON.stringify(server.requests)).not.toContain('canary');
      expect(decoy.requests).toHaveLength(0);
    },
  );

  it('sends no key to Ollama unless the settings name one [P6]', async () => {
    const server = await startScriptedModelServer([{ text: 'a' }, { text: 'b' }]);
    const keys = {
      environment: { OPENAI_API_KEY: 'openai', OLLAMA_API_KEY: 'ollama' },
      secret: () => undefined,
    };
    const settings = { provider: 'ollama', model: 'm', baseUrl: server.url };
    await readAnswer(createModelClient(settings, keys));
    await readAnswer(createModelClient({ ...settings, apiKeyEnv: 'OLLAMA_API_KEY' }, keys));
    await server.close();
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Bearer ollama',
    ]);
  });

  it.each(WIRE_CASES.filter(({ key }) => key !== undefined))(
    '$wire: a client made after a key has changed has the new one',
    async ({ wire, basePath, key }) => {
      const server = await startScriptedModelServer([{ error: { status: 401 } }, { text: 'b' }]);
      let stored = 'old-key';
      const keys: KeySources = { environment: {}, secret: () => stored };
      const settings = { provider: wire, model: 'm', baseUrl: `${server.url}${basePath}` };
      await expect(readAnswer(createModelClient(settings, keys))).rejects.toMatchObject({ code: 'auth' });
      stored = 'new-key';
      await readAnswer(createModelClient(settings, keys));
      await server.close();
      expect(server.requests.map(({ headers }) => headers[key?.header ?? ''])).toEqual([
        `${key?.prefix}old-key`,
        `${key?.prefix}new-key`,
      ]);
    },
  );

  it('knows the price of a model, takes another from the settings, and never invents one [D2]', () => {
    const keys: KeySources = { environment: {}, secret: () => 'k' };
    const priceOf = (settings: ModelSettings): unknown => createModelClient(settings, keys).price;
    const free = { input: 0, output: 0, cachedInput: 0 };
    const own = { input: 7, output: 8, cachedInput: 9 };
    expect(priceOf({ provider: 'anthropic', model: 'claude-sonnet-5-5' })).toMatchObject({
      input: 2,
      output: 10,
    });
    expect(priceOf({ provider: 'anthropic', model: 'claude-sonnet-5-5', price: own })).toEqual(own);
    expect(priceOf({ provider: 'anthropic', model: 'claude-of-tomorrow' })).toBeUndefined();
    expect(
      priceOf({ provider: 'openai-compatible', model: 'gpt-5', baseUrl: 'http://127.0.0.1:1' }),
    ).toBeUndefined();
    expect(priceOf({ provider: 'openrouter', model: 'anthropic/claude-sonnet-5-5' })).toBeUndefined();
    expect(priceOf({ provider: 'ollama', model: 'qwen3' })).toEqual(free);
    expect(priceOf({ provider: 'offline', model: 'rules' })).toEqual(free);
  });

  it.each([
    ['anthropic', 'https://api.anthropic.com'],
    ['openai', 'https://api.openai.com'],
    ['google', 'https://generativelanguage.googleapis.com'],
    ['openrouter', 'https://openrouter.ai'],
    ['ollama', 'http://127.0.0.1:11434'],
  ])('%s lives at %s if the settings say nothing [D1]', (provider, origin) => {
    expect(new URL(PROVIDER_TABLE[provider]?.baseUrl ?? '').origin).toBe(origin);
    expect(KNOWN_PROVIDERS).toContain(provider);
  });
});

const PROCESS_KEYS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'OPENAI_ORGANIZATION',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'OLLAMA_API_KEY',
];
const PROCESS_ADDRESSES = [
  'ANTHROPIC_BASE_URL',
  'OPENAI_BASE_URL',
  'GOOGLE_GENERATIVE_AI_BASE_URL',
  'OPENROUTER_BASE_URL',
  'OLLAMA_HOST',
];

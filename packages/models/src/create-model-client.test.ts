import { BulkheadError } from '@bulkhead/protocol';
import { startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createModelClient } from './create-model-client.ts';
import type { KeySources, ModelSettings } from './model-settings.ts';
import { KNOWN_PROVIDERS } from './provider-table.ts';
import { readAnswer } from './testing/model-fixtures.ts';

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
    expect(error.fix).toContain('secrets.json');
  });

  it('takes a key from the environment or from stored secrets', () => {
    const settings = { provider: 'anthropic', model: 'claude-x' };
    const secret = (name: string): string | undefined => (name === 'ANTHROPIC_API_KEY' ? 'k' : undefined);
    expect(
      createModelClient(settings, { environment: { ANTHROPIC_API_KEY: 'k' }, secret: () => undefined }).name,
    ).toBe('anthropic/claude-x');
    expect(createModelClient(settings, { environment: {}, secret }).name).toBe('anthropic/claude-x');
  });

  it('uses a key name of the settings alone, even when the usual key is there', () => {
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

  it('takes keys and addresses from what it is given, never from the environment of the process [P6]', async () => {
    const decoy = await startScriptedModelServer([]);
    const server = await startScriptedModelServer([{ text: 'a' }, { text: 'b' }]);
    vi.stubEnv('ANTHROPIC_API_KEY', 'canary-anthropic');
    vi.stubEnv('ANTHROPIC_BASE_URL', `${decoy.url}/v1`);
    vi.stubEnv('OPENAI_API_KEY', 'canary-openai');
    vi.stubEnv('OPENAI_BASE_URL', `${decoy.url}/v1`);
    const baseUrl = `${server.url}/v1`;
    expect(refusal({ provider: 'anthropic', model: 'm', baseUrl }).code).toBe('missing_key');
    await readAnswer(createModelClient({ provider: 'openai-compatible', model: 'm', baseUrl }, NO_KEYS));
    const given = { environment: { ANTHROPIC_API_KEY: 'given' }, secret: () => undefined };
    await readAnswer(createModelClient({ provider: 'anthropic', model: 'm', baseUrl }, given));
    await Promise.all([decoy.close(), server.close()]);
    expect(server.requests.map(({ headers }) => headers['authorization'] ?? headers['x-api-key'])).toEqual([
      undefined,
      'given',
    ]);
    expect(JSON.stringify(server.requests)).not.toContain('canary');
    expect(decoy.requests).toHaveLength(0);
  });
});

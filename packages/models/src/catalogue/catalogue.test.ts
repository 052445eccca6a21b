import { describe, expect, it } from 'vitest';
import { KNOWN_PROVIDERS } from '../provider-table.ts';
import { describeProvider, knownModels, modelFacts } from './describe-provider.ts';

const keysOf = (environment: Record<string, string>, stored: Record<string, string> = {}) => ({
  environment,
  secret: (name: string) => stored[name],
});

describe('a provider, as far as it is known without asking', () => {
  it('takes the key that the settings name, and no other', () => {
    const settings = { provider: 'openai', apiKeyEnv: 'OWN_KEY' };
    expect(describeProvider(settings, keysOf({ OPENAI_API_KEY: 'k' }))).toMatchObject({
      key: 'missing',
      keyName: 'OWN_KEY',
      problem: { code: 'missing_key' },
    });
    expect(describeProvider(settings, keysOf({}, { OWN_KEY: 'k' }))).toMatchObject({
      key: 'store',
      problem: undefined,
    });
  });

  it.each([
    [{ provider: 'openai-compatible' }, 'needs a base URL'],
    [{ provider: 'openai-compatible', baseUrl: 'http://user:pass@127.0.0.1/v1' }, 'is not usable'],
  ])('says what keeps it from being asked: %j', (settings, problem) => {
    expect(describeProvider(settings, keysOf({}))).toMatchObject({
      address: '',
      problem: { code: 'config_invalid', message: expect.stringContaining(problem) },
    });
  });

  it('has no key that can not be read, and says why', () => {
    const keys = {
      environment: {},
      secret: () => {
        throw new Error('the keychain is locked');
      },
    };
    expect(describeProvider({ provider: 'anthropic' }, keys)).toMatchObject({
      key: 'missing',
      problem: { message: expect.stringContaining('the keychain is locked') },
    });
  });

  it('is refused if it is unknown', () => {
    expect(() => describeProvider({ provider: 'toString' }, keysOf({}))).toThrow('unknown provider');
  });
});

describe('models that are known by name', () => {
  it('have a price, each', () => {
    for (const provider of KNOWN_PROVIDERS) {
      for (const model of knownModels(provider)) expect(modelFacts(provider, model).price).toBeDefined();
    }
    expect(knownModels('toString')).toEqual([]);
  });

  it('have the window of the settings, or what their provider usually has', () => {
    expect(modelFacts('anthropic', 'x', 5_000)).toEqual({ contextWindow: 5_000, price: undefined });
    expect(modelFacts('anthropic', 'x').contextWindow).toBe(200_000);
    expect(modelFacts('offline', 'rules')).toMatchObject({ contextWindow: 128_000, price: { input: 0 } });
  });
});

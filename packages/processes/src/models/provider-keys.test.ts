import { parseConfig } from '@bulkhead/home/testing';
import { describe, expect, it } from 'vitest';
import { providerKeys } from './provider-keys.ts';
import { refuseBadKeys } from './refuse-bad-keys.ts';

const SERVER = 'provider: openai-compatible, model: m, baseUrl: "http://127.0.0.1:1/v1"';

function missed(yaml: string, environment: Record<string, string>, stored: readonly string[] = []) {
  const { models } = parseConfig(yaml, 'config.yaml');
  const secret = (name: string) => (stored.includes(name) ? 'k' : undefined);
  return providerKeys(models, { environment, secret }).flatMap((key) => (key.missed ? [key.name] : []));
}

describe('the keys an engine would use and has not [I1]', () => {
  it('are, where no model is configured, those that would choose another one', () => {
    const all = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'];
    expect(missed('', {})).toEqual(all);
    expect(missed('', { OPENAI_API_KEY: 'k', GEMINI_API_KEY: '' })).toEqual(['ANTHROPIC_API_KEY']);
    expect(missed('', {}, ['ANTHROPIC_API_KEY'])).toEqual([]);
  });

  it('are those of configured models and of no other', () => {
    const config = `models: { chat: { ${SERVER}, apiKeyEnv: MY_KEY }, fallback: [{ provider: google, model: g }] }`;
    expect(missed(config, {})).toEqual(['MY_KEY', 'GEMINI_API_KEY']);
    expect(missed(config, { MY_KEY: 'k' }, ['GEMINI_API_KEY'])).toEqual([]);
    expect(missed('models: { chat: { provider: ollama, model: m } }', {})).toEqual([]);
  });

  it('are not known, and none is said, where the store can not be read', () => {
    const keys = {
      environment: {},
      secret: () => {
        throw new Error('locked');
      },
    };
    const known = providerKeys(parseConfig('', 'config.yaml').models, keys);
    expect(known.filter((key) => key.missed)).toEqual([]);
    expect(known.map(({ name }) => name)).toContain('OPENROUTER_API_KEY');
  });

  it('are all that can be handed over, and no value is repeated [I5]', () => {
    const known = [{ name: 'MY_KEY', missed: false }];
    expect(() => refuseBadKeys({ MY_KEY: 'sk-1' }, known)).not.toThrow();
    expect(() => refuseBadKeys({ LD_PRELOAD: '/evil.so' }, known)).toThrow(/"LD_PRELOAD" is no variable/);
    for (const value of ['', 'a\0b', 'a\nb', 'k'.repeat(5_000)])
      expect(() => refuseBadKeys({ MY_KEY: value }, known)).toThrow(
        /^what MY_KEY holds is no key: [a-z, ]+$/,
      );
  });
});

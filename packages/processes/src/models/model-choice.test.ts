import { describe, expect, it } from 'vitest';
import { chatRole, settingsOf } from './model-choice.ts';
import { findLocalModel } from './suggested-model.ts';

const none = { environment: {}, secret: () => undefined };
const withKeys = (...names: string[]) => ({
  environment: Object.fromEntries(names.map((name) => [name, 'k'])),
  secret: () => undefined,
});
const configured = {
  provider: 'openai-compatible',
  model: 'm',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKeyEnv: 'MY_KEY',
  contextWindow: 8_000,
  thinking: 'low' as const,
  price: { input: 1, output: 2 },
};
const local = { provider: 'ollama', model: 'llama' };

describe('chatRole', () => {
  it('is the offline model when nothing is there [D1]', () => {
    expect(chatRole({ configured: undefined, keys: none })).toEqual({ provider: 'offline', model: 'rules' });
  });

  it.each([
    [['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'], 'anthropic'],
    [['GEMINI_API_KEY', 'OPENAI_API_KEY'], 'openai'],
    [['GEMINI_API_KEY'], 'google'],
    [['OTHER_API_KEY'], 'ollama'],
  ])('follows a key, in order, and then a local model: %j [D1]', (names, provider) => {
    expect(chatRole({ configured: undefined, keys: withKeys(...names), local }).provider).toBe(provider);
    const stored = { environment: {}, secret: (name: string) => (names.includes(name) ? 'k' : undefined) };
    expect(chatRole({ configured: undefined, keys: stored, local }).provider).toBe(provider);
  });

  it('takes an empty variable for none', () => {
    const keys = { environment: { ANTHROPIC_API_KEY: ' ' }, secret: () => '' };
    expect(chatRole({ configured: undefined, keys, local })).toEqual(local);
  });

  it('is what is configured before all else', () => {
    expect(chatRole({ configured, keys: withKeys('ANTHROPIC_API_KEY'), local })).toBe(configured);
  });

  it('keeps address and key with their provider, the rest with its model', () => {
    const choose = (model: string) => chatRole({ configured, keys: none }, { model, baseUrl: '' });
    const { provider, baseUrl, apiKeyEnv } = configured;
    expect(choose('openai-compatible/n')).toEqual({ provider, model: 'n', baseUrl, apiKeyEnv });
    expect(choose('openai-compatible/m')).toEqual(configured);
    expect(choose('anthropic/m')).toEqual({ provider: 'anthropic', model: 'm' });
  });

  it('refuses a base URL that is none', () => {
    expect(() => chatRole({ configured, keys: none }, { model: '', baseUrl: 'nowhere' })).toThrow(
      'not a URL',
    );
  });
});

describe('settingsOf', () => {
  it('passes on what the gateway wants; cached input costs as much as input unless said', () => {
    expect(settingsOf({ ...configured, maxOutputTokens: 5 })).toEqual({
      ...configured,
      price: { input: 1, output: 2, cachedInput: 1 },
    });
    const price = { input: 1, output: 2, cachedInput: 0 };
    expect(settingsOf({ ...configured, price }).price).toEqual(price);
    expect(settingsOf(local)).toEqual(local);
  });
});

describe('findLocalModel', () => {
  it.each([
    ['a model is configured', { configured, keys: none }, 0],
    ['a key is there', { configured: undefined, keys: withKeys('GEMINI_API_KEY') }, 0],
    ['nothing is there', { configured: undefined, keys: none }, 1],
  ])('asks only when it is needed: %s [D1]', async (_what, parts, expected) => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return local;
    };
    expect(await findLocalModel({ ...parts, ask })).toEqual(expected === 0 ? undefined : local);
    expect(asked).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { chatModel } from './model-source.ts';

const noKeys = { environment: {}, secret: () => undefined };
const anthropicKey = { environment: { ANTHROPIC_API_KEY: 'k' }, secret: () => undefined };
const configured = {
  provider: 'openai-compatible',
  model: 'm',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKeyEnv: 'MY_KEY',
};

describe('chatModel', () => {
  it('is the offline model when nothing is there [D1]', () => {
    expect(chatModel(undefined, noKeys)).toEqual({ provider: 'offline', model: 'rules' });
  });

  it('follows a key in the environment, and configuration before it [D1]', () => {
    expect(chatModel(undefined, anthropicKey).provider).toBe('anthropic');
    expect(chatModel(configured, anthropicKey)).toEqual(configured);
  });

  it('keeps address and key with the provider they were configured for', () => {
    expect(chatModel(configured, noKeys, { model: 'openai-compatible/n', baseUrl: '' })).toEqual({
      ...configured,
      model: 'n',
    });
    expect(chatModel(configured, noKeys, { model: 'anthropic/n', baseUrl: '' })).toEqual({
      provider: 'anthropic',
      model: 'n',
    });
  });

  it('refuses a base URL that is none', () => {
    expect(() => chatModel(configured, noKeys, { model: '', baseUrl: 'nowhere' })).toThrow('not a URL');
  });
});

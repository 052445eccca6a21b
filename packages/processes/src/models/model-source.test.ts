import { parseConfig } from '@bulkhead/home/testing';
import { CONFIGURED } from '@bulkhead/log/session/accepted-input';
import { describe, expect, it } from 'vitest';
import { ModelSource } from './model-source.ts';

const ROLE = 'provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1"';

function source(models: string, secrets: Map<string, string> = new Map()) {
  return new ModelSource({
    models: parseConfig(`models: { ${models} }\n`, 'config.yaml').models,
    local: { provider: 'offline', model: 'rules' },
    keys: { environment: { IN_ENVIRONMENT: 'k' }, secret: (name) => secrets.get(name) },
    limits: { firstTokenMs: 1_000, idleMs: 1_000, totalMs: 10_000 },
  });
}

describe('ModelSource', () => {
  it('keeps one client for each choice', () => {
    const models = source(`chat: { ${ROLE}, model: m }`);
    expect(models.client(CONFIGURED)).toBe(models.client(CONFIGURED));
    expect(models.client({ model: 'offline/rules', baseUrl: '' }).name).toBe('offline/rules');
    expect(models.client({ model: 'offline/rules', baseUrl: '' })).not.toBe(models.client(CONFIGURED));
  });

  it('gives each role its model, and those without one the model of the conversation [D1]', () => {
    const models = source(`chat: { ${ROLE}, model: m }, title: { ${ROLE}, model: small }`);
    expect(models.role('title').name).toBe('openai-compatible/small');
    expect(models.role('compaction')).toBe(models.client(CONFIGURED));
    const offline = { model: 'offline/rules', baseUrl: '' };
    expect(models.role('compaction', offline)).toBe(models.client(offline));
    expect(models.role('title', offline).name).toBe('openai-compatible/small');
  });

  it('passes size, price and output limit on', () => {
    const models = source(
      `chat: { ${ROLE}, model: m, contextWindow: 9000, maxOutputTokens: 77, price: { input: 3, output: 4 } }`,
    );
    const client = models.client(CONFIGURED);
    expect(client).toMatchObject({ contextWindow: 9_000, price: { input: 3, output: 4, cachedInput: 3 } });
    expect(models.outputLimit(client)).toBe(77);
    expect(models.outputLimit(models.client({ model: 'offline/rules', baseUrl: '' }))).toBeUndefined();
  });

  it('lists fallbacks in order, without the chosen one and those that have no key, and says why', () => {
    const secrets = new Map<string, string>();
    const models = source(
      `chat: { ${ROLE}, model: m }, fallback: [ { ${ROLE}, model: b, apiKeyEnv: B_KEY }, { ${ROLE}, model: m }, { ${ROLE}, model: a, apiKeyEnv: IN_ENVIRONMENT }, { provider: offline, model: rules } ]`,
      secrets,
    );
    const names = (choice = CONFIGURED) => models.fallbacks(choice).map(({ name }) => name);
    expect(names()).toEqual(['openai-compatible/a', 'offline/rules']);
    expect(models.skippedFallbacks()).toEqual([
      { name: 'openai-compatible/b', reason: expect.stringContaining('B_KEY') },
    ]);
    secrets.set('B_KEY', 'k');
    expect(names()).toEqual(['openai-compatible/b', 'openai-compatible/a', 'offline/rules']);
    expect(models.skippedFallbacks()).toEqual([]);
    expect(names({ model: 'offline/rules', baseUrl: '' })).toEqual([
      'openai-compatible/b',
      'openai-compatible/m',
      'openai-compatible/a',
    ]);
  });

  it('makes a new client after a key was refused, and says whether it is another key', () => {
    const secrets = new Map([['MY_KEY', 'old']]);
    const models = source(`chat: { ${ROLE}, model: m, apiKeyEnv: MY_KEY }`, secrets);
    const first = models.client(CONFIGURED);
    expect(models.refresh(first)).toBe(false);
    const second = models.client(CONFIGURED);
    secrets.set('MY_KEY', 'new');
    expect(models.refresh(second)).toBe(true);
    const third = models.client(CONFIGURED);
    expect(third).not.toBe(second);
    // Another run was refused with the old client: the new one stays.
    expect(models.refresh(second)).toBe(true);
    expect(models.client(CONFIGURED)).toBe(third);
    secrets.delete('MY_KEY');
    expect(models.refresh(third)).toBe(true);
    expect(() => models.client(CONFIGURED)).toThrow(expect.objectContaining({ code: 'missing_key' }));
  });

  it('has no other key to offer for one of the environment, or a client it did not make', () => {
    const models = source(`chat: { ${ROLE}, model: m, apiKeyEnv: IN_ENVIRONMENT }`);
    const client = models.client(CONFIGURED);
    expect(models.refresh(client)).toBe(false);
    expect(models.refresh({ ...client })).toBe(false);
  });
});

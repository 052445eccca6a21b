import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { KNOWN_PROVIDERS } from '@bulkhead/models';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originOf, planModel } from './plan-model.ts';

const trial = (provider: string, baseUrl = '', key = '') => ({ provider, model: 'm', baseUrl, key });
const nowhere = () => false;
const everywhere = () => true;

describe('the plan of a model', () => {
  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', 'https://api.anthropic.com'],
    ['openai', 'OPENAI_API_KEY', 'https://api.openai.com'],
    ['google', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com'],
    ['openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai'],
  ])('%s at its own address takes its own key', (provider, keyName, origin) => {
    expect(planModel(trial(provider), undefined, nowhere)).toEqual({
      role: { provider, model: 'm' },
      keyName,
      origin,
    });
  });

  it('needs no key for a local Ollama, and none for the offline model', () => {
    expect(planModel(trial('ollama'), undefined, everywhere).keyName).toMatch(/^API_KEY_OF_127_0_0_1_11434_/);
    expect(planModel(trial('ollama'), undefined, nowhere).keyName).toBeUndefined();
    const offline = { ...trial('offline', 'http://127.0.0.1:1/v1'), model: 'rules' };
    expect(planModel(offline, undefined, everywhere)).toEqual({
      role: { provider: 'offline', model: 'rules' },
      keyName: undefined,
      origin: undefined,
    });
  });

  it('never sends the key of one address to another', () => {
    const host = fc.domain();
    const provider = fc.constantFrom(...KNOWN_PROVIDERS.filter((name) => name !== 'offline'));
    const there = fc.record({ provider, host, port: fc.integer({ min: 1, max: 65_535 }), tls: fc.boolean() });
    fc.assert(
      fc.property(there, there, ({ provider: first, ...one }, { provider: second, ...two }) => {
        const [left, right] = [one, two].map(
          ({ host: name, port, tls }) => `${tls ? 'https' : 'http'}://${name}:${port}/v1`,
        );
        const before = planModel(trial(first, left, 'typed'), undefined, nowhere);
        const after = planModel(trial(second, right), before.role, (name) => name === before.keyName);
        if (after.origin !== before.origin) expect(after.keyName).not.toBe(before.keyName);
        else if (first === second) expect(after.keyName).toBe(before.keyName);
      }),
    );
  });

  it('does not lead the key of a provider to an address that is not its own', () => {
    const hasUsual = (name: string) => name === 'OPENAI_API_KEY';
    expect(planModel(trial('openai', 'https://mirror.example/v1'), undefined, hasUsual).keyName).toMatch(
      /^API_KEY_OF_MIRROR_EXAMPLE_/,
    );
    // Not by the provider's own rule, either: a separate name, whether or not a key of that name
    // exists.
    expect(
      planModel(trial('openai-compatible', 'http://a.example/v1'), undefined, hasUsual).role,
    ).toMatchObject({
      apiKeyEnv: expect.stringMatching(/^API_KEY_OF_A_EXAMPLE_/),
    });
    for (const baseUrl of [
      'http://api.openai.com/v1',
      'https://api.openai.com:444/v1',
      'https://api.openai.com.x/v1',
    ])
      expect(planModel(trial('openai', baseUrl), undefined, hasUsual).keyName).not.toBe('OPENAI_API_KEY');
  });

  it('keeps what a person configured for the very same address', () => {
    const configured: ModelRole = {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKeyEnv: 'MINE',
      thinking: 'low',
      contextWindow: 9_000,
    };
    const same = planModel(trial('openai-compatible', 'http://127.0.0.1:8080/v1/'), configured, nowhere);
    expect([same.role, same.keyName]).toEqual([configured, 'MINE']);
    const other = planModel(trial('openai-compatible', 'http://127.0.0.1:8081/v1', 'k'), configured, nowhere);
    expect([other.keyName, other.role.thinking]).toEqual([expect.stringMatching(/_8081_/), 'low']);
    const { role } = planModel(
      { ...trial('openai-compatible', configured.baseUrl), model: 'n' },
      configured,
      nowhere,
    );
    expect([role.thinking, role.contextWindow, role.apiKeyEnv]).toEqual([undefined, undefined, 'MINE']);
    const { apiKeyEnv: _none, ...keyless } = configured;
    const kept = planModel(
      trial('openai-compatible', configured.baseUrl),
      keyless,
      (name) => name === 'OPENAI_API_KEY',
    );
    expect(kept.keyName).toBe('OPENAI_API_KEY');
  });

  it.each([
    [trial('nobody'), 'models.chat.provider: not a known provider'],
    [{ ...trial('openai'), model: ' ' }, 'models.chat.model: must not be empty'],
    [trial('openai', 'ftp://example.org'), 'models.chat.baseUrl: not an address'],
    [trial('openai', 'https://me:pw@example.org/v1'), 'models.chat.baseUrl: an address has no user name'],
    [trial('openai', 'https://example.org/v1?key=1'), 'models.chat.baseUrl: an address has no user name'],
    [trial('openai-compatible'), 'models.chat.baseUrl: openai-compatible needs an address'],
  ])('refuses %j, and names the key', (wrong, message) => {
    expect(() => planModel(wrong, undefined, nowhere)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(message) }),
    );
  });

  it('reads roles as the model gateway does', () => {
    expect(originOf({ provider: 'openai', model: 'm' })).toBe('https://api.openai.com');
    expect(originOf({ provider: 'offline', model: 'rules' })).toBeUndefined();
  });
});

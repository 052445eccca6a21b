import type { Config } from '@bulkhead/home/config/config-schema';
import { configSchema } from '@bulkhead/home/testing';
import { KNOWN_PROVIDERS } from '@bulkhead/models';
import { describe, expect, it } from 'vitest';
import { chatRole } from './model-choice.ts';
import { ModelService } from './model-service.ts';

const KEY = 'sk-canary-0123456789';

interface World {
  readonly models?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stored?: Readonly<Record<string, string>>;
  readonly used?: readonly string[];
  /** Models of an Ollama at the queried address; undefined for none. */
  readonly ollama?: readonly string[];
}

function serviceOf({ models = {}, environment = {}, stored = {}, used = [], ollama }: World) {
  const asked: string[] = [];
  const config: Config['models'] = configSchema.parse({ models }).models;
  const keys = { environment, secret: (name: string) => stored[name] };
  const request: typeof fetch = async (url) => {
    asked.push(String(url));
    if (ollama === undefined) throw new TypeError('fetch failed');
    return Response.json({ models: ollama.map((name) => ({ name })) });
  };
  const chat = () => chatRole({ configured: config.chat, keys });
  return { asked, service: new ModelService({ models: config, keys, request, chat, used: () => used }) };
}

describe('the list of models', () => {
  it('says of each provider where its key is, never the key [I3]', async () => {
    const { service } = serviceOf({
      environment: { OPENAI_API_KEY: KEY },
      stored: { ANTHROPIC_API_KEY: `${KEY}-stored` },
    });
    const report = await service.list();
    const keys = Object.fromEntries(report.providers.map(({ name, key }) => [name, key]));
    expect(Object.keys(keys)).toEqual(KNOWN_PROVIDERS);
    expect(keys).toMatchObject({
      openai: 'environment',
      anthropic: 'store',
      google: 'missing',
      ollama: 'not-needed',
      offline: 'not-needed',
    });
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  it('puts first what can be chosen, each model once, with its price where that is known', async () => {
    const { service } = serviceOf({
      environment: { ANTHROPIC_API_KEY: KEY },
      models: {
        chat: { provider: 'anthropic', model: 'claude-opus-5-5', price: { input: 1, output: 2 } },
        fallback: [{ provider: 'openai', model: 'own-model' }],
      },
      used: ['anthropic/claude-sonnet-5-5', 'anthropic/of-old', 'gone/model'],
      ollama: ['llama3:8b'],
    });
    const { models } = await service.list();
    expect(models[0]).toMatchObject({
      name: 'anthropic/claude-opus-5-5',
      origin: 'configured',
      usable: true,
      price: { input: 1, output: 2, cachedInput: 1 },
    });
    const named = (name: string) => models.filter((one) => one.name === name);
    expect(named('anthropic/claude-sonnet-5-5')).toMatchObject([{ origin: 'known', price: { input: 2 } }]);
    expect(named('anthropic/of-old')).toMatchObject([{ origin: 'used', price: undefined }]);
    expect(named('ollama/llama3:8b')).toMatchObject([{ origin: 'local', usable: true, price: { input: 0 } }]);
    expect(named('openai/own-model')).toMatchObject([{ origin: 'configured', usable: false }]);
    expect(named('gone/model')).toEqual([]);
    const usable = models.map((one) => one.usable);
    expect(usable).toEqual(usable.toSorted((one, other) => Number(other) - Number(one)));
    expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
  });

  it('says what does what, why, and what keeps it from it', async () => {
    const { service } = serviceOf({
      environment: { ANTHROPIC_API_KEY: KEY },
      models: {
        chat: { provider: 'anthropic', model: 'a' },
        title: { provider: 'offline', model: 'rules' },
        fallback: [{ provider: 'openai', model: 'b' }],
      },
    });
    const { roles } = await service.list();
    expect(roles).toMatchObject([
      { role: 'chat', model: 'anthropic/a', because: 'set in config.yaml', problem: undefined },
      {
        role: 'fallback',
        model: 'openai/b',
        problem: { code: 'missing_key', fix: expect.stringContaining('OPENAI') },
      },
      { role: 'title', model: 'offline/rules', because: 'set in config.yaml' },
      { role: 'compaction', model: 'anthropic/a', because: 'the chat model' },
      { role: 'shield', model: '', because: 'none: a person is asked' },
      { role: 'subagent', model: 'anthropic/a' },
      { role: 'embedding', model: '', because: 'none: memory is searched by words' },
    ]);
  });

  it.each([
    [{}, 'offline/rules', 'no key and no Ollama'],
    [{ environment: { GEMINI_API_KEY: KEY } }, 'google/gemini-flash-latest', 'a key for google'],
  ] as const)('says why a model answers that nobody configured: %j', async (world, model, because) => {
    const [chat] = (await serviceOf(world).service.list()).roles;
    expect(chat).toMatchObject({ role: 'chat', model, because: expect.stringContaining(because) });
  });
});

describe('an Ollama', () => {
  it('is asked once, where the settings say that it is, and its models for embedding are left out', async () => {
    const { service, asked } = serviceOf({
      models: { chat: { provider: 'ollama', model: 'm', baseUrl: 'http://192.0.2.7:11434/' } },
      ollama: ['m', 'nomic-embed-text'],
    });
    const { models, providers } = await service.list();
    expect(asked).toEqual(['http://192.0.2.7:11434/api/tags']);
    expect(models.filter(({ name }) => name.startsWith('ollama/')).map(({ name }) => name)).toEqual([
      'ollama/m',
    ]);
    expect(providers.find(({ name }) => name === 'ollama')?.problem).toBeUndefined();
  });

  it('that does not answer is a provider that can not be used', async () => {
    const { service } = serviceOf({});
    const ollama = (await service.list()).providers.find(({ name }) => name === 'ollama');
    expect(ollama?.problem).toMatchObject({ message: 'no Ollama answers at http://127.0.0.1:11434' });
  });

  it('that is said to be elsewhere is not asked', async () => {
    const { service, asked } = serviceOf({
      environment: { OLLAMA_HOST: 'http://192.0.2.7:11434' },
      ollama: ['m'],
    });
    const { models } = await service.list();
    expect(asked).toEqual([]);
    expect(models.filter(({ name }) => name.startsWith('ollama/'))).toEqual([]);
  });
});

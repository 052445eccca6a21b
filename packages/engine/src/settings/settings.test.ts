import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditInput } from '@bulkhead/audit';
import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { loadConfig } from '@bulkhead/home/config/load-config';
import type { SecretStore } from '@bulkhead/home/config/secrets/secret-store';
import { createSecretFile } from '@bulkhead/home/testing';
import { providerKeys } from '@bulkhead/processes/testing';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { type ScriptedModelServer, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSettings } from './open-settings.ts';
import { tryModel } from './try-model.ts';

const KEY = 'sk-typed-Zq8vK2mN4xR7pL3w';

describe('the settings of an engine', () => {
  let root: string;
  let server: ScriptedModelServer;
  const audited: AuditInput[] = [];
  const known: (string | undefined)[] = [];
  const chats: (ModelRole | undefined)[] = [];
  const layout = () => homeLayout(root);

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'bulkhead-settings-'));
    server = await startScriptedModelServer(({ headers }) => {
      const sent = headers['authorization'] ?? '';
      return sent === `Bearer ${KEY}`
        ? { text: 'ready' }
        : { error: { status: 401, message: `no such key: ${sent}` } };
    });
    for (const list of [audited, known, chats]) list.splice(0);
  });

  afterEach(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });

  const config = () => (existsSync(layout().config) ? readFileSync(layout().config, 'utf8') : '');
  const store = (): SecretStore => createSecretFile(layout());

  function open(yaml = '', options: { env?: Record<string, string>; store?: SecretStore } = {}) {
    if (yaml !== '') writeFileSync(layout().config, yaml);
    return openSettings({
      layout: layout(),
      environment: options.env ?? {},
      settings: { config: loadConfig(layout().config), store: options.store ?? store() },
      secrets: { add: (...values) => void known.push(...values) },
      models: { setChat: (chat) => void chats.push(chat) },
      audit: {
        append: async (entries) => {
          audited.push(...entries);
          return [];
        },
      },
      clock: systemClock,
    });
  }

  const here = (key: string) => ({
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: `${server.url}/v1`,
    key,
  });
  const never = new AbortController().signal;

  it('changes what loosens nothing, says what waits for a restart, and records the key without its value [D3]', async () => {
    const { settings } = open('# mine\nlimits: { maxRounds: 3 }\n');
    expect(await settings.change([{ key: 'limits.maxRounds', value: '7' }])).toBe(true);
    expect(await settings.change([{ key: 'limits.maxRounds', value: '7' }])).toBe(false);
    expect(config()).toBe('# mine\nlimits: { maxRounds: 7 }\n');
    expect(settings.waiting()).toEqual(['limits.maxRounds']);
    await settings.change([{ key: 'limits.maxRounds', value: '3' }]);
    expect(settings.waiting()).toEqual([]);
    expect(audited.map(({ step, details }) => [step, details])).toEqual(
      Array.from({ length: 2 }, () => ['SETTINGS_CHANGED', { keys: ['limits.maxRounds'], secret: '' }]),
    );
  });

  it.each([
    ['policy', 'permissive', 'blocked'],
    ['tools.web.allowPrivate', '[ 127.0.0.1:80 ]', 'blocked'],
    ['timeouts.approvalSeconds', '86400', 'blocked'],
    ['models.chat.baseUrl', 'https://evil.example/v1', 'blocked'],
    ['models.shield', '{ provider: offline, model: rules }', 'blocked'],
    ['limits.maxRounds', 'many', 'config_invalid'],
    ['limits.maxRounds', '0', 'config_invalid'],
    ['queues.steer', 'some', 'config_invalid'],
    ['no.such', '1', 'usage'],
  ])('refuses %s: %s, and writes nothing, not even what came with it', async (key, value, code) => {
    const { settings } = open('limits: { maxRounds: 3 }\n');
    const changes = [
      { key: 'limits.maxOutputTokens', value: '99' },
      { key, value },
    ];
    const words = code === 'usage' ? 'no.such' : key;
    await expect(settings.change(changes)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
    expect([config(), audited]).toEqual(['limits: { maxRounds: 3 }\n', []]);
  });

  it('tests four connections at once, refuses more, and has room again once they are done', async () => {
    const { model } = open();
    const more = model.test.bind(model, here(KEY), never);
    const four = [more(), more(), more(), more()];
    await expect(more()).rejects.toMatchObject({ code: 'busy', fix: expect.any(String) });
    expect((await Promise.all(four)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
    const left = AbortSignal.abort();
    expect(await model.test(here(KEY), left)).toMatchObject({ ok: false });
    expect(await more()).toMatchObject({ ok: true });
  });

  it('tests a connection without storing anything, and tells no key that a server repeats [A7]', async () => {
    const { model } = open();
    const works = await model.test(here(KEY), never);
    expect(works).toMatchObject({ ok: true, keyPlace: 'given' });
    const wrong = `${KEY}-wrong`;
    const fails = await model.test(here(wrong), never);
    expect(fails).toMatchObject({ ok: false, error: { code: 'auth' } });
    expect(JSON.stringify(fails.ok ? '' : [fails.error.message, fails.error.fix])).not.toContain(wrong);
    const nobody = await model.test({ ...here(''), baseUrl: 'http://127.0.0.1:1/v1' }, never);
    expect(nobody).toMatchObject({ ok: false });
    const gone = await model.test({ ...here('k'), baseUrl: 'http://no-such-host.invalid/v1' }, never);
    expect(gone.ok ? '' : gone.error.fix).toContain('could not be resolved');
    expect([config(), existsSync(layout().secrets), known]).toEqual(['', false, []]);
  });

  it('sends a stored key to the address it was stored for, and to no other', async () => {
    const other = await startScriptedModelServer([{ text: 'mine now' }], { atEnd: 'repeat-last' });
    try {
      const { model } = open('', { env: { ANTHROPIC_API_KEY: 'of-anthropic' } });
      await model.setUp(here(KEY));
      expect(await model.test(here(''), never)).toMatchObject({ ok: true, keyPlace: 'stored' });
      const elsewhere = { ...here(''), baseUrl: `${other.url}/v1` };
      await model.test(elsewhere, never);
      await model.setUp(elsewhere);
      await model.test({ ...elsewhere, provider: 'anthropic' }, never);
      expect(other.requests.length).toBe(1);
      for (const { headers, bodyText } of other.requests)
        expect(JSON.stringify(headers) + bodyText).not.toMatch(/of-anthropic|sk-typed/);
    } finally {
      await other.close();
    }
  });

  it('leads no key that comes later to an address that was set up without one [A7]', async () => {
    const other = await startScriptedModelServer([{ text: 'mine now' }], { atEnd: 'repeat-last' });
    try {
      const { model, settings } = open();
      const elsewhere = { ...here(''), baseUrl: `${other.url}/v1` };
      await model.setUp(elsewhere);
      // At a terminal, or with the environment of the next start.
      store().set('OPENAI_API_KEY', 'sk-of-openai');
      const keys = { environment: { OPENAI_API_KEY: 'sk-of-openai' }, secret: store().get };
      const chat = settings.file().models.chat;
      expect(chat && (await tryModel(chat, keys, systemClock, never))).toMatchObject({ ok: true });
      expect(await model.test(elsewhere, never)).toMatchObject({ ok: true });
      const none = { environment: {}, secret: () => undefined };
      expect(providerKeys(settings.file().models, none)).toContainEqual({
        name: 'OPENAI_API_KEY',
        missed: false,
      });
      expect(JSON.stringify(other.requests.map(({ headers }) => headers))).not.toContain('sk-of-openai');
    } finally {
      await other.close();
    }
  });

  it('does not follow a server that sends the key on', async () => {
    const other = await startScriptedModelServer([{ text: 'mine now' }], { atEnd: 'repeat-last' });
    const sends = await startScriptedModelServer([
      { error: { status: 307, message: '', headers: { location: `${other.url}/v1/chat/completions` } } },
    ]);
    try {
      const result = await open().model.test({ ...here(KEY), baseUrl: `${sends.url}/v1` }, never);
      expect(result.ok).toBe(false);
      expect([sends.requests.length, other.requests.length]).toEqual([1, 0]);
    } finally {
      await Promise.all([other.close(), sends.close()]);
    }
  });

  it('sets a model up: key stored and known to redaction, file written, in use at once, recorded [A7] [D3]', async () => {
    const { model, settings } = open(
      '# mine\nmodels:\n  title: { provider: offline, model: rules } # quick\n',
    );
    const { changed, keyName } = await model.setUp(here(KEY));
    expect([changed, store().get(keyName)]).toEqual([true, KEY]);
    expect(known).toEqual([KEY]);
    const role = {
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: `${server.url}/v1`,
      apiKeyEnv: keyName,
    };
    expect([chats, loadConfig(layout().config).models.chat]).toEqual([[role], role]);
    expect([settings.waiting(), config().includes('# quick')]).toEqual([[], true]);
    expect(JSON.stringify(audited)).toContain(keyName);
    expect(JSON.stringify(audited) + config()).not.toContain(KEY);
    expect(await model.setUp(here(''))).toEqual({ changed: false, keyName: '' });
  });

  it('keeps no key of a set-up that failed, and not the new one in place of the old', async () => {
    const before = 'limits: { maxRounds: 3 }\n';
    const { model } = open(before);
    const { keyName } = await model.setUp(here('old'));
    writeFileSync(layout().config, 'nonsense: 1\n');
    await expect(model.setUp(here(KEY))).rejects.toMatchObject({ code: 'config_invalid' });
    expect(store().get(keyName)).toBe('old');
    // Valid, but not a file that can be replaced.
    rmSync(layout().config);
    const failing: SecretStore = {
      ...store(),
      set: (name, value) => {
        store().set(name, value);
        writeFileSync(layout().config, 'nonsense: 1\n');
      },
    };
    const { model: second } = open('', { store: failing });
    await expect(second.setUp({ ...here(KEY), provider: 'openai', baseUrl: '' })).rejects.toThrow('nonsense');
    expect(store().get('OPENAI_API_KEY')).toBeUndefined();
    expect(chats.length).toBe(1);
  });

  it('stores no key that would not count, or would go elsewhere too', async () => {
    const openai = { provider: 'openai', model: 'm', baseUrl: '', key: KEY };
    const inEnvironment = open('', { env: { OPENAI_API_KEY: 'x' } });
    await expect(inEnvironment.model.setUp(openai)).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('environment'),
    });
    const title =
      "models: { title: { provider: openai-compatible, model: t, baseUrl: 'http://127.0.0.1:9/v1' } }\n";
    await expect(open(title).model.setUp(openai)).rejects.toMatchObject({
      code: 'blocked',
      message: 'OPENAI_API_KEY is also sent to 127.0.0.1:9, by models.title (openai-compatible/t)',
    });
    await expect(open().model.setUp({ ...openai, provider: 'anthropic', key: '' })).rejects.toMatchObject({
      code: 'missing_key',
    });
    await expect(open().model.setUp({ ...openai, key: 'two\nlines' })).rejects.toMatchObject({
      code: 'usage',
    });
    expect(existsSync(layout().secrets)).toBe(false);
  });

  it('goes from a local model without a key to a provider with one', async () => {
    const local = `models: { chat: { provider: openai-compatible, model: t, baseUrl: '${server.url}/v1' } }\n`;
    const { model } = open(local);
    expect(await model.setUp({ provider: 'openai', model: 'm', baseUrl: '', key: KEY })).toEqual({
      changed: true,
      keyName: 'OPENAI_API_KEY',
    });
    expect(loadConfig(layout().config).models.chat).toEqual({ provider: 'openai', model: 'm' });
  });
});

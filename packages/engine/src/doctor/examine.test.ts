import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditLog } from '@bulkhead/audit';
import { homeLayout, systemClock, systemTimers } from '@bulkhead/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examine } from './examine.ts';

/** `doctor` without the programs of the product: its sandbox can't work, and all else is looked at. */
describe('the checks of doctor', () => {
  let folder: string;
  const layout = () => homeLayout(join(folder, 'home'));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bulkhead-examine-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function rows(environment: Record<string, string> = {}) {
    const { checks } = await examine({
      home: layout().root,
      dist: join(folder, 'dist'),
      nodePath: process.execPath,
      // Another address than Ollama's own is not asked.
      environment: { OLLAMA_HOST: 'nowhere.example', ...environment },
    });
    return new Map(checks.map((check) => [check.name, check]));
  }

  function makeHome(config?: string): void {
    mkdirSync(layout().root, { mode: 0o700 });
    if (config !== undefined) writeFileSync(layout().config, config, { mode: 0o600 });
  }

  const BEFORE = ['node', 'home', 'model', 'search', 'sandbox'];
  const AFTER = ['audit log', 'clock'];

  it('looks at the machine alone where there is no home, and makes none', async () => {
    const found = await rows();
    expect([...found.keys()]).toEqual(BEFORE);
    const node = { state: 'ok', detail: `${process.versions.node} (SQLite ${process.versions['sqlite']})` };
    expect(found.get('node')).toMatchObject(node);
    expect(found.get('home')).toMatchObject({ state: 'warn', fix: expect.stringContaining('bulkhead init') });
    expect(found.get('sandbox')?.state).toBe('bad');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('looks at everything in a home that was never started', async () => {
    makeHome();
    const found = await rows();
    const names = [...found.keys()];
    expect(names.slice(0, 8)).toEqual(['node', 'home', 'disk', 'config', 'policy', ...BEFORE.slice(2)]);
    expect(names).toEqual(expect.arrayContaining([...AFTER, 'settings', 'access', 'chronicle', 'trust']));
    expect(names).not.toContain('kept copies');
    const detail = (name: string) => [found.get(name)?.state, found.get(name)?.detail];
    expect(detail('config')).toEqual(['ok', 'all defaults']);
    expect(detail('policy')).toEqual(['ok', 'none yet: the first start puts the shipped ones there']);
    expect(detail('audit log')).toEqual(['ok', 'empty']);
    expect(detail('settings')).toEqual(['ok', 'config, keys, policies and profile default can be read']);
    expect(found.get('model')).toMatchObject({
      state: 'warn',
      detail: 'offline/rules (settings only: no call was made)',
      fix: expect.stringContaining('bulkhead init'),
    });
    expect(readdirSync(layout().root)).toEqual([]);
  });

  it('names a problem once, where others have the same cause', async () => {
    makeHome('models: [');
    const found = await rows();
    expect(found.get('config')).toMatchObject({ state: 'bad', fix: expect.stringMatching(/./) });
    // Before the first start, there is no policy to be read.
    for (const name of ['model', 'sandbox'])
      expect(found.get(name)).toMatchObject({ state: 'bad', detail: 'not looked at: see config', fix: '' });
    expect(found.has('settings')).toBe(false);
    expect(found.get('access')?.state).toBe('ok');
  });

  it('says which policy counts, and which file of it can not be read', async () => {
    makeHome('policy: mine');
    mkdirSync(layout().policies);
    const policy = join(layout().policies, 'mine.yaml');
    writeFileSync(policy, 'version: 1\nname: mine\nrules: { deny: [], verify: [], allow: [] }\n', {
      mode: 0o600,
    });
    const detail = expect.stringMatching(/^mine \(version [0-9a-f]{12}\)$/);
    expect((await rows()).get('policy')).toMatchObject({ state: 'ok', detail });
    writeFileSync(policy, 'version: 1\nrules: 7\n');
    const broken = await rows();
    expect(broken.get('policy')).toMatchObject({
      state: 'bad',
      detail: expect.stringContaining('mine.yaml'),
    });
    expect(broken.has('settings')).toBe(false);
  });

  it('says that a fallback is left out for want of its key, and how to mend it', async () => {
    const chat = '{ provider: offline, model: rules }';
    makeHome(`models: { chat: ${chat}, fallback: [{ provider: anthropic, model: claude-x }] }`);
    expect((await rows()).get('model')).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(/^offline\/rules .*; fallback anthropic\/claude-x is left out: /),
      fix: 'Store the key that is missing, or take the model out of models.fallback in config.yaml.',
    });
    const withKey = await rows({ ANTHROPIC_API_KEY: 'k' });
    expect(withKey.get('model')).toMatchObject({
      state: 'ok',
      detail: 'offline/rules (settings only: no call was made)',
    });
  });

  it('lists kept copies with their size', async () => {
    makeHome();
    const { damaged, database } = layout();
    const copy = (name: string, file: string) => {
      mkdirSync(join(damaged, name), { recursive: true });
      writeFileSync(join(damaged, name, file), Buffer.alloc(1_572_864));
    };
    mkdirSync(damaged, { recursive: true });
    expect((await rows()).get('kept copies')).toMatchObject({ state: 'ok', detail: 'none', fix: '' });
    const file = database.split('/').at(-1) ?? '';
    copy('0001-20260101T000000Z', file);
    copy('0002-20260101T000000Z', `${file}-wal`);
    const { state, detail = '' } = (await rows()).get('kept copies') ?? {};
    expect(state).toBe('warn');
    expect(detail).toContain('0001-20260101T000000Z (1.5 MB), 0002-20260101T000000Z (1.5 MB, write-ahead');
  });

  it('verifies the audit log, and names the first bad entry', async () => {
    makeHome();
    const { audit } = layout();
    mkdirSync(audit, { recursive: true, mode: 0o700 });
    const log = await openAuditLog(audit, { clock: systemClock, timers: systemTimers });
    const entry = { action: 'a', session: 's', tool: 'ls', hash: 'h', details: {} };
    await log.append([
      { ...entry, step: 'PROPOSED' },
      { ...entry, step: 'EVALUATED' },
    ]);
    await log.close();
    const good = (await rows()).get('audit log');
    expect(good).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^\d+ entries, chain.* intact$/),
    });
    for (const name of readdirSync(audit).filter((one) => one.endsWith('.jsonl'))) {
      chmodSync(join(audit, name), 0o600);
      writeFileSync(join(audit, name), '{"torn":true}\n');
    }
    expect((await rows()).get('audit log')).toMatchObject({
      state: 'bad',
      detail: expect.stringMatching(/^the first bad entry is .*:1: /),
      fix: expect.stringContaining('from a backup'),
    });
  });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { TrustStore } from './trust-store.ts';

it('covers a CLAUDE.md like an AGENTS.md, and leaves out one that is a link [FT97]', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-claude-')));
  using cleanup = new DisposableStack();
  cleanup.defer(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'project');
  mkdirSync(folder);
  const layout = homeLayout(join(root, 'home'));
  mkdirSync(layout.state, { recursive: true, mode: 0o700 });
  const store = new TrustStore({ layout, clock: systemClock, audit: { append: async () => [] } });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const trustAll = async () => store.grant(folder, (await store.inspect(folder)).digest);
  write('AGENTS.md', 'be kind');
  write('CLAUDE.md', 'be brief');
  await trustAll();
  expect((await store.readTrusted(folder, 'CLAUDE.md')).toString()).toBe('be brief');
  write('CLAUDE.md', 'be rude');
  expect(await store.trustOf(folder)).toMatchObject({
    state: 'changed',
    changes: [{ path: 'CLAUDE.md', what: 'changed' }],
  });
  rmSync(join(folder, 'CLAUDE.md'));
  symlinkSync('AGENTS.md', join(folder, 'CLAUDE.md'));
  expect(await store.trustOf(folder)).toMatchObject({ state: 'changed' });
  await trustAll();
  const paths = (await store.inspect(folder)).files.map(({ path }) => path);
  expect(paths).toEqual(['AGENTS.md']);
  await expect(store.readTrusted(folder, 'CLAUDE.md')).rejects.toMatchObject({ code: 'blocked' });
});

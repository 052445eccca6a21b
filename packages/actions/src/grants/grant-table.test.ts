import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTables } from '@bulkhead/sessions/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Grant } from './grant.ts';
import { createGrantTable } from './grant-table.ts';

let folder: string;
let opened: DisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-grants-'));
  opened = new DisposableStack();
});
afterEach(() => {
  opened.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const grant = (id: string): Grant => ({
  id,
  kind: 'hosts',
  targets: ['registry.test:443'],
  pattern: 'npm install',
  scope: 'folder',
  session: 's',
  folder: '/w',
  identity: '1',
  holder: { sender: 'owner', channel: 'client', profile: 'default' },
  by: 'cli/owner',
  at: 1,
});

it('skips grants that can not be read, and reports each once', () => {
  const { tables } = opened.use(openTables(join(folder, 'bulkhead.db')));
  const problems: string[] = [];
  const table = createGrantTable(tables, (problem) => problems.push(problem));
  for (const id of ['a', 'b', 'c']) table.add(grant(id));
  const { pattern: _, ...rest } = grant('d');
  const tools: Grant = { ...rest, kind: 'toolchain', targets: ['/home/ada/.tools'], identities: ['7@8'] };
  table.add(tools);
  const wide: Grant = { ...tools, id: 'e', kind: 'folder', targets: ['/home/ada/code'], write: true };
  table.add(wide);
  // One for every folder opens programs only, never the network.
  table.add({ ...grant('f'), scope: 'home' });
  const change = tables.prepare('UPDATE grants SET body = ? WHERE id = ?');
  tables.write(true, () => void change.run('{', 'b'));
  tables.write(true, () => void change.run('{"kind":"folders","targets":["/"]}', 'c'));
  expect(table.all()).toEqual([grant('a'), tools, wide]);
  expect(table.all()).toHaveLength(3);
  expect(problems).toEqual([
    expect.stringContaining("grant b can't be read"),
    expect.stringContaining("grant c can't be read"),
    expect.stringContaining("grant f can't be read"),
  ]);
  expect([table.remove('a'), table.remove('b')]).toEqual([true, true]);
  expect(table.all()).toEqual([tools, wide]);
});

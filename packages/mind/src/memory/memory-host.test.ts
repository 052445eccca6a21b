import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProfileFiles } from '@bulkhead/memory';
import type { Origin, ToolHostCall } from '@bulkhead/protocol';
import { everyTool } from '@bulkhead/tools';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHost } from './memory-host.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bulkhead-host-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Searches memory for a message of this sender. */
async function search(sender: Origin['sender'] | undefined, isOwners: boolean) {
  const tool = everyTool.find(({ name }) => name === 'memory_search');
  if (tool === undefined) throw new Error('there is no memory_search');
  const host = createMemoryHost({
    files: new ProfileFiles(root, () => '0123456789abcdef'),
    writer: {
      plan: () => {
        throw new Error('nothing is planned');
      },
      write: async () => {
        throw new Error('nothing is written');
      },
    },
    search: async () => [],
    found: () => {},
    labelOf: () => ({ secrecy: 'public', trust: 'user' }),
    isOwners: () => isOwners,
    isAuto: () => false,
  });
  const origin = sender === undefined ? {} : { origin: { channel: 'telegram', sender, profile: 'default' } };
  const call: ToolHostCall = {
    actionId: 'a',
    sessionId: 's',
    tool: 'memory_search',
    canonicalArguments: '{"query":"tea"}',
    parsed: tool.parse({ query: 'tea' }),
    workingFolder: root,
    ...origin,
  };
  return await host.execute(call, () => {}, new AbortController().signal);
}

it.each([
  [{ id: 'owner' }, true, false],
  [undefined, true, false],
  [{ id: 'owner' }, false, true],
  [{ id: 'tg-7', name: 'owner' }, true, true],
] as const)(
  'searches memory for the sender %j in a session of the owner (%s): an error is %s [B1] [P7]',
  async (sender, isOwners, isError) => {
    expect(await search(sender, isOwners)).toMatchObject({ isError });
  },
);

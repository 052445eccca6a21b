import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import configuration from '../.dependency-cruiser.mjs';
import { cruise } from './checks/walls.ts';

const checkout = dirname(import.meta.dirname);

/** A small checkout that respects every wall. */
const LAWFUL: Record<string, string> = {
  'packages/protocol/src/index.ts': "export * from './name.ts';",
  'packages/protocol/src/name.ts': "import { posix } from 'node:path';\nexport const name = posix.sep;",
  'packages/shield/src/index.ts': "export { name } from '@bulkhead/protocol';",
  'packages/shield/src/rule.test.ts': "import '@bulkhead/testkit';\nimport 'node:fs';",
  'packages/shield/src/testing/rules.ts': "import '@bulkhead/testkit';\nexport {};",
  'packages/agent/src/slow.child.ts': "import 'node:fs';",
  'packages/tools/src/index.ts':
    "import 'node:fs';\nimport '@bulkhead/files';\nimport '@bulkhead/protocol';\nexport {};",
  'packages/files/src/index.ts': "import 'node:fs';\nimport '@bulkhead/protocol';\nexport {};",
  'packages/agent/src/index.ts': "export { loop } from './loop/loop.ts';",
  'packages/agent/src/loop/loop.ts': "export { name as loop } from '@bulkhead/protocol';",
  'packages/agent/src/main.ts': "import 'node:net';\nimport 'node:http2';\nimport './index.ts';",
  'packages/testkit/src/index.ts': "import 'node:http';\nimport '@bulkhead/protocol';\nexport {};",
  'packages/engine/src/index.ts':
    "import '@bulkhead/shield';\nimport '@bulkhead/tools';\nimport '@bulkhead/agent';\nimport '@bulkhead/runtime';\nexport {};",
  'packages/home/src/index.ts': "export { name } from '@bulkhead/protocol';",
  'packages/log/src/index.ts': "export { name } from '@bulkhead/home';",
  'packages/processes/src/index.ts': "import '@bulkhead/agent';\nexport { name } from '@bulkhead/log';",
  'packages/actions/src/index.ts': "import '@bulkhead/shield';\nexport { name } from '@bulkhead/processes';",
  'packages/mind/src/index.ts': "export { name } from '@bulkhead/actions';",
  'packages/runtime/src/index.ts': "export { name } from '@bulkhead/mind';",
  'packages/client/src/index.ts': "export { name } from '@bulkhead/home';",
  'packages/client/src/acp/index.ts': "export { name } from '../index.ts';",
  'packages/engine/src/offline/config.ts': "export { name } from '@bulkhead/protocol';",
  'packages/cli/src/index.ts':
    "import '@bulkhead/client';\nimport '@bulkhead/engine/offline/config';\nimport '@bulkhead/protocol';\nimport 'node:fs';\nexport {};",
  'e2e/run.test.ts': "import '@bulkhead/testkit';\nimport '@bulkhead/client';",
  'test/simulator/main.ts': "import '@bulkhead/testkit';\nimport '@bulkhead/engine';\nexport {};",
  'bench/src/main.ts': "import '@bulkhead/testkit';",
};

/** For each wall: a file that breaks it, its import, and the resolved path of that. */
const BREACHES: readonly (readonly [rule: string, file: string, specifier: string, target: string])[] = [
  ['no-circular', 'packages/tools/src/about.ts', './round.ts', 'packages/tools/src/round.ts'],
  ['resolvable', 'packages/tools/src/lost.ts', './nowhere.ts', './nowhere.ts'],
  ['front-door', 'packages/cli/src/reach-in.ts', '../../engine/src/index.ts', 'packages/engine/src/index.ts'],
  [
    'front-door-from-outside',
    'e2e/reach-in.ts',
    '../packages/engine/src/index.ts',
    'packages/engine/src/index.ts',
  ],
  ['ground-floor', 'packages/protocol/src/upstairs.ts', '@bulkhead/shield', 'packages/shield/src/index.ts'],
  ['ground-floor-without-io', 'packages/protocol/src/io.ts', 'node:fs', 'fs'],
  [
    'capabilities-apart',
    'packages/shield/src/neighbour.ts',
    '@bulkhead/tools',
    'packages/tools/src/index.ts',
  ],
  [
    'capabilities-apart',
    'packages/shield/src/upstairs.test.ts',
    '@bulkhead/engine',
    'packages/engine/src/index.ts',
  ],
  [
    'files-below-capabilities',
    'packages/files/src/upstairs.ts',
    '@bulkhead/tools',
    'packages/tools/src/index.ts',
  ],
  ['pure-without-files', 'packages/shield/src/hand.ts', '@bulkhead/files', 'packages/files/src/index.ts'],
  ['home-below', 'packages/home/src/upstairs.ts', '@bulkhead/log', 'packages/log/src/index.ts'],
  ['log-below', 'packages/log/src/upstairs.ts', '@bulkhead/processes', 'packages/processes/src/index.ts'],
  ['processes-below', 'packages/processes/src/upstairs.ts', '@bulkhead/mind', 'packages/mind/src/index.ts'],
  ['actions-below', 'packages/actions/src/upstairs.test.ts', '@bulkhead/mind', 'packages/mind/src/index.ts'],
  ['mind-below', 'packages/mind/src/upstairs.ts', '@bulkhead/runtime', 'packages/runtime/src/index.ts'],
  ['runtime-below', 'packages/runtime/src/upstairs.ts', '@bulkhead/engine', 'packages/engine/src/index.ts'],
  ['client-knows-no-engine', 'packages/client/src/inside.ts', '@bulkhead/log', 'packages/log/src/index.ts'],
  [
    'client-core-alone',
    'packages/client/src/editor.ts',
    './acp/index.ts',
    'packages/client/src/acp/index.ts',
  ],
  [
    'rooms-know-no-client',
    'packages/runtime/src/asks.ts',
    '@bulkhead/client',
    'packages/client/src/index.ts',
  ],
  ['engine-below-clients', 'packages/engine/src/upstairs.ts', '@bulkhead/cli', 'packages/cli/src/index.ts'],
  ['clients-outside', 'packages/tui/src/inside.ts', '@bulkhead/engine', 'packages/engine/src/index.ts'],
  ['command-line-outside', 'packages/cli/src/inside.ts', '@bulkhead/engine', 'packages/engine/src/index.ts'],
  ['command-line-outside', 'packages/cli/src/past.ts', '@bulkhead/shield', 'packages/shield/src/index.ts'],
  ['agent-thinks-only', 'packages/agent/src/loop/hand.ts', 'node:net', 'net'],
  ['agent-has-one-socket', 'packages/agent/src/hand.ts', 'node:fs', 'fs'],
  ['agent-has-one-socket', 'packages/agent/src/thread.ts', 'node:worker_threads', 'worker_threads'],
  [
    'testkit-stands-alone',
    'packages/testkit/src/inside.ts',
    '@bulkhead/shield',
    'packages/shield/src/index.ts',
  ],
  [
    'testkit-only-in-tests',
    'packages/tools/src/carried.ts',
    '@bulkhead/testkit',
    'packages/testkit/src/index.ts',
  ],
  [
    'test-room-on-top',
    'packages/engine/src/simulates.test.ts',
    '../../../test/simulator/main.ts',
    'test/simulator/main.ts',
  ],
  [
    'tests-are-not-imported',
    'packages/shield/src/shares.ts',
    './testing/rules.ts',
    'packages/shield/src/testing/rules.ts',
  ],
  [
    'tests-are-not-imported',
    'packages/shield/src/uses-test.ts',
    './rule.test.ts',
    'packages/shield/src/rule.test.ts',
  ],
];

describe('walls', () => {
  let lawful: Awaited<ReturnType<typeof cruise>>;
  let broken: Awaited<ReturnType<typeof cruise>>;
  const roots: string[] = [];

  beforeAll(async () => {
    const first = await makeHouse(LAWFUL);
    const breaches = BREACHES.map(([, file, specifier]) => [file, `import '${specifier}';\nexport {};`]);
    const second = await makeHouse({
      ...LAWFUL,
      ...Object.fromEntries(breaches),
      'packages/tools/src/round.ts': "import './about.ts';\nexport {};",
    });
    roots.push(first, second);
    lawful = await cruise(first, process.env, checkout);
    broken = await cruise(second, process.env, checkout);
  });

  afterAll(async () => {
    for (const root of roots) await rm(root, { recursive: true, force: true });
  });

  it('lets through what keeps to them', () => {
    expect(lawful).toMatchObject({
      code: 0,
      output: expect.stringContaining('no dependency violations found'),
    });
  });

  it('fails when one is broken', () => {
    expect(broken.code).not.toBe(0);
  });

  it.each(BREACHES)('%s: refuses %s importing %s', (rule, file, _specifier, target) => {
    const flat = broken.output.replace(/\s+/g, ' ');
    expect(flat).toContain(`error ${rule}: ${file} → ${target}`);
  });

  it.each(configuration.forbidden?.map((rule) => [rule.name, rule.comment] as const) ?? [])(
    '%s says why, and is tried here',
    (name, comment) => {
      expect(BREACHES.map(([rule]) => rule)).toContain(name);
      expect(broken.output.replace(/\s+/g, ' ')).toContain(comment);
    },
  );
});

async function makeHouse(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bulkhead-walls-'));
  const names = new Set(Object.keys(files).flatMap((path) => /^packages\/([^/]+)/.exec(path)?.[1] ?? []));
  await write(root, 'package.json', '{ "workspaces": ["packages/*", "e2e", "bench"] }');
  await write(
    root,
    'tsconfig.json',
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }',
  );
  await mkdir(join(root, 'node_modules', '@bulkhead'), { recursive: true });
  for (const name of names) {
    const exports = { '.': './src/index.ts', './offline/config': './src/offline/config.ts' };
    await write(
      root,
      `packages/${name}/package.json`,
      JSON.stringify({ name: `@bulkhead/${name}`, type: 'module', exports }),
    );
    await symlink(`../../packages/${name}`, join(root, 'node_modules', '@bulkhead', name));
  }
  for (const [path, text] of Object.entries(files)) await write(root, path, text);
  return root;
}

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderCycles } from './folder-cycles.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bulkhead-folder-cycles-'));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  await write('scripts/checks/folder-cycles-exceptions.txt', '');
  await write('packages/tools/src/index.ts', "import './files/open.ts';");
  await write('packages/tools/src/files/open.ts', "import '../search/find.ts';");
  await write('packages/tools/src/search/find.ts', 'export {};');
  await write('packages/tools/src/search/find.test.ts', "import '../files/open.ts';");
});

afterEach(() => rm(root, { recursive: true, force: true }));

it('lets folders through that need each other one way', async () => {
  expect(await check()).toMatchObject({ passed: 1, failed: 0, output: '' });
});

it('fails for a circle that is planted in a checkout, until it is excused with a date', async () => {
  await write('packages/tools/src/search/walk.ts', "import type { Open } from '../files/open.ts';");
  const refused = await check();
  expect(refused.failed).toBe(1);
  expect(refused.output).toContain(
    'packages/tools/src/search/walk.ts imports packages/tools/src/files/open.ts',
  );
  await write(
    'scripts/checks/folder-cycles-exceptions.txt',
    '2026-01-02 packages/tools goes with the next layout',
  );
  expect(await check()).toMatchObject({ passed: 1, output: '' });
});

function check() {
  const signal = new AbortController().signal;
  return folderCycles.run({
    root,
    results: root,
    env: process.env,
    signal,
    updateSurface: false,
    endBy: Number.POSITIVE_INFINITY,
    cpuSeconds: new Map(),
  });
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

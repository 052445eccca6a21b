/*
 * One folder on a small disk of its own that fails: a place in the home, or the working folder.
 * Work that needs the folder fails with its reason, and all goes on once the disk has room again,
 * in the same engine.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('SKIPPED: places that fail need user and mount namespaces\n');

const LIMIT_MS = 450_000;
const execute = promisify(execFile);

interface Facts {
  readonly [name: string]: unknown;
}

async function run(place: string, how: 'full' | 'readOnly'): Promise<Facts> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-place-')));
  try {
    const child = fileURLToPath(new URL('crash/disk-places.child.ts', import.meta.url));
    const node = [process.execPath, '--experimental-transform-types', child, place, how, root, dist];
    const { stdout } = await execute('unshare', ['-Urm', ...node], { timeout: LIMIT_MS });
    const facts: Facts = JSON.parse(stdout);
    return facts;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const COMPLETED = expect.objectContaining({ outcome: 'completed' });

describe.skipIf(!canMount)('a place in the home whose disk fails', { concurrent: true }, () => {
  it.each([
    ['chronicle', 'chronicle'],
    ['outputs', 'folder of outputs'],
    ['memory', 'folder of profiles and memory'],
  ])(
    'refuses new work while the %s can not be written, reads, and goes on by itself [FT80]',
    {
      timeout: LIMIT_MS,
    },
    async (place, name) => {
      expect(await run(place, 'full')).toMatchObject({
        before: COMPLETED,
        problems: [expect.stringMatching(`the ${name} ROOT/.* the disk is full`)],
        refused: { code: 'store_failed', retryable: true },
        sessions: 2,
        after: COMPLETED,
        otherAfter: COMPLETED,
        problemsAfter: [],
        samePid: true,
      });
    },
  );
});

describe.skipIf(!canMount)('a working folder whose disk fails', { concurrent: true }, () => {
  it.each([
    ['full', 'big: the disk is full'],
    ['readOnly', 'big: the file system is read-only'],
  ] as const)(
    'fails the write alone, leaves nothing half written, and goes on: %s [U2]',
    {
      timeout: LIMIT_MS,
    },
    async (how, reason) => {
      expect(await run('work', how)).toMatchObject({
        failed: { said: expect.stringContaining(reason) },
        problems: [],
        other: COMPLETED,
        left: ['kept.txt'],
        kept: 'old\n',
        after: COMPLETED,
        samePid: true,
      });
    },
  );
});

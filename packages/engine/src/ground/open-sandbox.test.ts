import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateLauncher } from '@bulkhead/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSandbox } from './open-sandbox.ts';

const PACKAGE = fileURLToPath(new URL('../../../sandbox', import.meta.url));

let dist: string;
let scratch: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'bulkhead-open-'));
  scratch = join(dist, 'scratch');
  mkdirSync(scratch);
  cpSync(join(PACKAGE, 'prebuilt'), join(dist, 'prebuilt'), { recursive: true });
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/** A kernel on which each call of one name fails. */
function withoutCall(fault: string): void {
  const launcher = locateLauncher(dist);
  cpSync(launcher, join(dist, 'real'));
  const options = `-D -f -qq -o /dev/null -e trace=${fault.split(':')[0]} -e inject=${fault}`;
  writeFileSync(launcher, `#!/bin/sh\nexec strace ${options} ${join(dist, 'real')} "$@"\n`);
  chmodSync(launcher, 0o755);
}

describe('openSandbox', () => {
  it('tells which walls it proved, and leaves nothing behind', async () => {
    const { report, nameSpaces } = await openSandbox(dist, process.execPath, scratch);
    expect(report.landlockAbi).toBeGreaterThan(0);
    for (const kind of ['agent', 'worker'] as const) {
      expect(report.boxes[kind].walls.includes('namespaces')).toBe(nameSpaces[kind]);
    }
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('refuses on a kernel without Landlock, in one line that says how to mend it [FT06]', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to play such a kernel');
    withoutCall('landlock_create_ruleset:error=ENOSYS');
    await expect(openSandbox(dist, process.execPath, scratch)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringMatching(
        /^the box of the agent does not hold .*Landlock is not available: errno 38\)$/,
      ),
      fix: expect.stringContaining('Linux 5.13 or newer with Landlock'),
    });
  });

  it('refuses where the filter is refused [FT06]', async (context) => {
    if (spawnSync('strace', ['-V']).status !== 0)
      return context.skip('strace is not here to play such a kernel');
    withoutCall('seccomp:error=ENOSYS');
    await expect(openSandbox(dist, process.execPath, scratch)).rejects.toMatchObject({
      code: 'sandbox_unavailable',
      message: expect.stringContaining('apply system call filter: errno 38'),
    });
  });
});

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from './box.ts';
import { createOpenSandbox } from './create-open-sandbox.ts';
import { finished, limits } from './testing/box-fixture.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'bulkhead-open-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const shell = (): Box => ({
  kind: 'shell',
  workingFolder: scratch,
  home: '/home/nobody-has-this',
  readOnly: [],
  protect: [],
  hide: [],
  limits,
});

function run(box: Box, command: string, env: Readonly<Record<string, string>>) {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const program = { file: '/bin/bash', args: ['-c', command], cwd: scratch, env, stdio: [...stdio] };
  return finished(createOpenSandbox({ scratch }).launch(box, program));
}

describe('the open sandbox', () => {
  it('never says that a box holds', async () => {
    const { ok, boxes } = await createOpenSandbox({ scratch }).probe();
    expect([ok, ...Object.values(boxes).map((box) => box.ok)]).toEqual([false, false, false, false]);
  });

  it('gives exactly the named environment, a session of its own, and nothing of a box', async () => {
    const { stdout } = await run(shell(), 'env; ps -o sid= -p $$; echo $$', {
      PATH: '/usr/bin:/bin',
      A: 'b',
    });
    const lines = stdout.trim().split('\n');
    const names = lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0]);
    // Bash adds the last three.
    expect(names.toSorted()).toEqual(['A', 'PATH', 'PWD', 'SHLVL', '_']);
    const [session, own] = lines.filter((line) => /^\s*\d+$/.test(line)).map(Number);
    expect(session).toBe(own);
    expect((await run(shell(), 'echo > file', { PATH: '/usr/bin:/bin' })).code).toBe(0);
    expect(readdirSync(scratch)).toContain('file');
  });

  it('gives commands a private home that exists, and leaves another home alone', async () => {
    const home = '/home/nobody-has-this';
    expect((await run(shell(), 'cd && pwd', { HOME: home })).stdout).toBe(`${scratch}/open-home\n`);
    expect(statSync(`${scratch}/open-home`).mode & 0o777).toBe(0o700);
    expect((await run(shell(), 'cd && pwd', { HOME: scratch })).stdout).toBe(`${scratch}\n`);
  });
});

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proveAction } from './proof/prove-action.ts';
import { proveConsistency } from './proof/prove-consistency.ts';
import { temporaryFolder, writeLog } from './testing.ts';

const PROGRAM = join(import.meta.dirname, '../standalone/verify.mjs');

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  for (const count of [3, 4, 6]) await writeLog(folder.path, count, 2_000);
});
afterEach(() => folder[Symbol.dispose]());

function run(...args: readonly string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout };
}

describe('the standalone verifier', () => {
  it('agrees with what was written', () => {
    expect(run(folder.path)).toEqual({
      code: 0,
      out: expect.stringMatching(/^ok: 13 entries, \d+ checkpoints, the last of 13/),
    });
  });

  it('checks what a proof says of an action, and of growth [U1]', async () => {
    const path = join(folder.path, 'proof.json');
    const action = await proveAction(folder.path, 'a2');
    expect(action.entries.map(({ n }) => n)).toEqual([2, 5, 9]);
    writeFileSync(path, JSON.stringify(action));
    expect(run('--proof', path)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok: 3 entries of action a2/),
    });
    writeFileSync(path, JSON.stringify(await proveConsistency(folder.path, { older: 7 })));
    expect(run('--proof', path)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/7 entries is the start of that of 13/),
    });
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { runOnOverlay, VIEWS } from '../testing/overlay-run.ts';
import { randomCommand, randomTree } from '../testing/random-effects.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** `OVERLAY_SEEDS=1000` for more; `OVERLAY_FIRST_SEED=N` to repeat one. */
const SEEDS = Number(process.env['OVERLAY_SEEDS'] ?? sweepOf(8, 1_000));
const FIRST = Number(process.env['OVERLAY_FIRST_SEED'] ?? 1);

function unboxed(folder: string, command: string): void {
  execFileSync('/bin/bash', ['-c', `${command}\n:`], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
  });
}

describe.each(VIEWS)('a command on %s', (view, options) => {
  it(`is committed or dropped exactly, whatever it did: ${SEEDS} random commands [B2] [FT90]`, {
    timeout: 240_000 + SEEDS * 1_000,
  }, async () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const [work, twin] = [`${fixture.folder}/w${seed}`, `${fixture.folder}/t${seed}`];
      for (const folder of [work, twin]) {
        mkdirSync(folder);
        unboxed(folder, randomTree(seed));
      }
      const before = folderState(work);
      expect(before).toBe(folderState(twin));
      const command = randomCommand(seed);
      const dropped = await runOnOverlay({ ...place(seed, 'd'), options, work, command, verdict: 'drop' });
      expect(dropped.mark, `seed ${seed}: ${dropped.stderr}`).toBe('none');
      expect(folderState(work), `seed ${seed}, dropped`).toBe(before);
      const kept = await runOnOverlay({ ...place(seed, 'c'), options, work, command, verdict: 'commit' });
      expect(kept.answer, `seed ${seed}: ${command}\n${kept.records.join('\n')}`).toBe('committed');
      unboxed(twin, command);
      expect(folderState(work), `seed ${seed}: ${command}`).toBe(folderState(twin));
      for (const folder of [work, twin]) rmSync(folder, { recursive: true });
    }
  });

  function place(seed: number, what: string): { launcherPath: string; scratch: string } {
    const scratch = `${fixture.folder}/scratch-${seed}-${what}${view.replace(' ', '-')}`;
    return { launcherPath: fixture.launcherPath, scratch };
  }
});

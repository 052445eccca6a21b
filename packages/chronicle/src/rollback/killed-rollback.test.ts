import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { expect, it } from 'vitest';
import { ChronicleStage } from '../testing/chronicle-stage.ts';
import { treeOf } from '../testing/tree-of.ts';
import { verifyChronicle } from '../verify.ts';

const CHILD = join(import.meta.dirname, 'rollback.child.ts');
/** More steps than a rollback of `change` has. */
const MOST_STEPS = 60;
/** Distance between tested steps; `npm run proof` tests each. */
const STRIDE = sweepOf(9, 1);

/**
 * One of each: created, changed, deleted, another kind, another mode, a link, in folders and
 * outside.
 */
async function change(stage: ChronicleStage): Promise<{ ids: string[]; before: readonly string[] }> {
  const at = (name: string) => stage.path(name);
  for (const name of ['deep/er', 'gone', 'kind']) mkdirSync(at(name), { recursive: true });
  for (const name of ['a', 'deep/er/b', 'gone/c', 'kind/d', 'mode']) writeFileSync(at(name), `old ${name}`);
  symlinkSync('a', at('link'));
  const before = treeOf(stage.folder);
  const first = await stage.act(['a', 'made', 'made/x', 'deep/er/b'], () => {
    writeFileSync(at('a'), 'new');
    writeFileSync(at('deep/er/b'), 'newer');
    mkdirSync(at('made'));
    writeFileSync(at('made/x'), 'x');
  });
  const second = await stage.act(['gone', 'gone/c', 'kind', 'kind/d', 'link', 'mode', 'a'], () => {
    rmSync(at('gone'), { recursive: true });
    rmSync(at('kind'), { recursive: true });
    writeFileSync(at('kind'), 'a file now');
    rmSync(at('link'));
    symlinkSync('elsewhere', at('link'));
    chmodSync(at('mode'), 0o700);
    writeFileSync(at('a'), 'newest');
  });
  return { ids: [first, second], before };
}

/** @returns false if it ended normally instead */
function killedAt(step: number, stage: ChronicleStage, ids: readonly string[]): boolean {
  const args = [CHILD, stage.options.folder, String(step), ...ids];
  const { signal, status, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
  });
  if (signal === 'SIGKILL') return true;
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return false;
}

it('goes on where it was, whichever step it was killed at [U2] [FT91]', async () => {
  let kills = 0;
  for (let step = 1; step < MOST_STEPS; step += STRIDE) {
    using stage = new ChronicleStage();
    const { ids, before } = await change(stage);
    const changed = treeOf(stage.folder);
    const wasKilled = killedAt(step, stage, ids);
    stage.reopen();
    const resumed = await stage.rollbacks.resume();
    expect(resumed.flatMap(({ conflicts }) => conflicts)).toEqual([]);
    // Killed before the journal existed, it had not started.
    const isUndone = !wasKilled || resumed.length > 0 || treeOf(stage.folder).join() === before.join();
    expect(treeOf(stage.folder), `killed at step ${step}`).toEqual(isUndone ? before : changed);
    if (!isUndone) await stage.chronicle.finish('UNDO').catch(() => {});
    const undo = stage.chronicle.list().find(({ id }) => id === 'UNDO');
    expect(undo !== undefined, `step ${step}`).toBe(isUndone);
    if (undo !== undefined) {
      await stage.rollBack(['UNDO']);
      expect(withoutTimes(treeOf(stage.folder)), `step ${step}`).toEqual(withoutTimes(changed));
    }
    expect((await verifyChronicle(stage.chronicle)).problems).toEqual([]);
    expect(await stage.rollbacks.resume()).toEqual([]);
    if (!wasKilled) break;
    kills = step;
  }
  // Must reach the last step of the last object, or the test has missed some.
  expect(kills).toBeGreaterThan(25 - STRIDE);
  expect(kills).toBeLessThan(MOST_STEPS - STRIDE);
}, 540_000);

it('leaves alone what somebody made in the place of what was moved aside [FT91]', async () => {
  let met = 0;
  for (let step = 4; step < MOST_STEPS; step += sweepOf(2, 1)) {
    using stage = new ChronicleStage();
    writeFileSync(stage.path('a'), 'old');
    const id = await stage.act(['a'], () => writeFileSync(stage.path('a'), 'new'));
    if (!killedAt(step, stage, [id])) break;
    const wasFree = !readdirSync(stage.folder).includes('a');
    writeFileSync(stage.path('a'), 'mine');
    stage.reopen();
    const reports = await stage.rollbacks.resume();
    expect(readFileSync(stage.path('a'), 'utf8'), `step ${step}`).toBe('mine');
    expect(readdirSync(stage.folder)).toEqual(['a']);
    if (!wasFree) continue;
    met += 1;
    expect(reports[0]?.conflicts).toMatchObject([{ path: 'a' }]);
  }
  expect(met).toBeGreaterThan(0);
});

function withoutTimes(tree: readonly string[]): string[] {
  return tree.map((line) => line.replace(/^(\S+ \S+) \S+/, '$1'));
}

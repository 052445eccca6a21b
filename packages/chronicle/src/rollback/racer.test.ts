import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { ChronicleStage } from '../testing/chronicle-stage.ts';

/**
 * Alternately replaces `sub` with an outside link and restores it, as fast as possible. It rests now and then, in
 * either state: on a busy machine no rollback would otherwise meet one of them from begin to end.
 */
const SWAPPER = `
  const fs = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  const at = (name) => root + '/' + name;
  fs.symlinkSync(outside, at('spare'));
  const still = new Int32Array(new SharedArrayBuffer(4));
  const rest = (round, every) => round % every === 0 && Atomics.wait(still, 0, 0, 100);
  process.stdout.write('ready');
  for (let round = 1; ; round += 1) {
    fs.renameSync(at('sub'), at('parked'));
    fs.renameSync(at('spare'), at('sub'));
    rest(round, 1_009);
    fs.renameSync(at('sub'), at('spare'));
    fs.renameSync(at('parked'), at('sub'));
    rest(round, 701);
  }`;

const RACE_MS = sweepOf(500, 2_500);
/** Time limit on a busy machine for both to happen. */
const MOST_MS = 20_000;

async function race(
  script: string,
  args: readonly string[],
  turn: () => Promise<void>,
  isEnough: () => boolean = () => true,
): Promise<void> {
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const begun = performance.now();
    const goesOn = (ms: number): boolean => ms < RACE_MS || (ms < MOST_MS && !isEnough());
    while (goesOn(performance.now() - begun)) await turn();
    expect(child.exitCode, 'the other process stopped by itself').toBeNull();
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

it('writes nothing outside while its folder is swapped for a link [FT10] [FT88]', async () => {
  using stage = new ChronicleStage({ retention: { snapshots: 10_000, days: 30, maxBytes: 1e12 } });
  const outside = join(stage.root, 'outside');
  for (const folder of [outside, stage.path('sub')]) mkdirSync(folder);
  const sub = openSync(stage.path('sub'), 'r');
  /** The folder itself, independent of its current name. */
  const at = (name: string) => `/proc/self/fd/${sub}/${name}`;
  for (const path of [join(outside, 'a'), join(outside, 'b'), at('a')]) writeFileSync(path, 'two');
  writeFileSync(at('a'), 'one');
  const change = () => {
    writeFileSync(at('a'), 'two');
    writeFileSync(at('b'), 'two');
  };
  const id = await stage.act(['sub/a', 'sub/b'], change);
  const seen = { undone: 0, conflict: 0 };
  const turn = async (): Promise<void> => {
    try {
      await stage.rollbacks.resume();
      const { done, conflicts } = await stage.rollBack([id], { skipConflicts: true });
      seen.undone += Number(done && conflicts.length === 0 && readFileSync(at('a'), 'utf8') === 'one');
      seen.conflict += Number(conflicts.length > 0);
    } catch (error) {
      // An object that keeps changing can't be kept, so it is not touched.
      expect(error).toMatchObject({ code: 'tool_failed' });
    }
    change();
    expect(readdirSync(outside).toSorted()).toEqual(['a', 'b']);
    for (const name of ['a', 'b']) expect(readFileSync(join(outside, name), 'utf8')).toBe('two');
  };
  await race(SWAPPER, [stage.folder, outside], turn, () => seen.conflict > 0 && seen.undone > 0);
  closeSync(sub);
  expect(seen.conflict).toBeGreaterThan(0);
  expect(seen.undone).toBeGreaterThan(0);
});

describe('an edit in the midst of it [FT91]', () => {
  it.each([
    ['of what is about to be displaced', 'placed'],
    ['at the name that is free for a moment', 'parked'],
  ])('%s stays', async (_when, step) => {
    using stage = new ChronicleStage();
    writeFileSync(stage.path('a'), 'one');
    writeFileSync(stage.path('b'), 'one');
    const id = await stage.act(['a', 'b'], () => {
      writeFileSync(stage.path('a'), 'two');
      writeFileSync(stage.path('b'), 'two');
    });
    stage.onStep = (now) => {
      if (now !== step) return;
      stage.onStep = undefined;
      writeFileSync(stage.path('a'), 'mine, and longer');
    };
    const report = await stage.rollBack([id]);
    expect(report.conflicts.map(({ path }) => path)).toEqual(['a']);
    expect(readFileSync(stage.path('a'), 'utf8')).toBe('mine, and longer');
    expect(readFileSync(stage.path('b'), 'utf8')).toBe('one');
    expect(readdirSync(stage.folder).toSorted()).toEqual(['a', 'b']);
  });

  it('of a file that is about to be removed stays', async () => {
    using stage = new ChronicleStage();
    const id = await stage.act(['a'], () => writeFileSync(stage.path('a'), 'two'));
    stage.onStep = (now) => {
      if (now === 'journalled') writeFileSync(stage.path('a'), 'mine');
    };
    const { conflicts } = await stage.rollBack([id]);
    expect(conflicts).toEqual([{ path: 'a', reason: 'was changed meanwhile' }]);
    expect(readFileSync(stage.path('a'), 'utf8')).toBe('mine');
  });

  it('between the plan and the snapshot is a conflict', async () => {
    using stage = new ChronicleStage();
    writeFileSync(stage.path('a'), 'one');
    const id = await stage.act(['a'], () => rmSync(stage.path('a')));
    stage.onStep = (now) => {
      if (now === 'taking') writeFileSync(stage.path('a'), 'mine');
    };
    expect((await stage.rollBack([id])).conflicts).toEqual([{ path: 'a', reason: 'was changed meanwhile' }]);
    expect(readFileSync(stage.path('a'), 'utf8')).toBe('mine');
  });
});

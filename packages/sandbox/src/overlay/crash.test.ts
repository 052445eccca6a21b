import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { recoverOverlay, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';
import { readCommitMark } from '../transaction/commit-mark.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** `OVERLAY_KILLS=all` kills at every single system call, also during recovery. */
const EVERY = process.env['OVERLAY_KILLS'] === 'all' || sweepsAreWhole;
/** From one failing call to the next that is tried, and the fewest ends of a kind that prove something. */
const [FAILING_STRIDE, UNFLUSHED_STRIDE, MOSTLY, SOME] = EVERY ? [1, 3, 3, 1] : [3, 6, 0, 0];
const COMMAND =
  'echo c >> f; rm g; mkdir -p n/m; echo 1 > n/m/y; rm -r d; mkdir d; echo new > d/z; chmod 600 h; ln -sfn h l; rm -r gone; rm kind; mkdir kind; ln two also; chown 12:34 given given/x 2>/dev/null; :';

function fill(work: string): void {
  for (const folder of ['d/sub', 'gone/deep', 'given']) mkdirSync(`${work}/${folder}`, { recursive: true });
  for (const name of ['f', 'g', 'h', 'd/x', 'd/sub/y', 'gone/deep/z', 'kind', 'two', 'given/x'])
    writeFileSync(`${work}/${name}`, name);
  symlinkSync('f', `${work}/l`);
  linkSync(`${work}/h`, `${work}/h2`);
  chmodSync(`${work}/d/sub`, 0o555);
}

const STRACE = ['strace', '-qq', '-o', '/dev/null'];

/** Starts a program and kills it as it enters its system call number `count`. */
const killedAt = (count: number): string[] => [...STRACE, '-e', `inject=all:signal=SIGKILL:when=${count}`];

/** Number of system calls of a launcher's run, without those of the box. */
function callsIn(log: string): number {
  return readFileSync(log, 'utf8').split('\n').length - 1;
}

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe.skipIf(!hasStrace).each(VIEWS)('on %s, a launcher that is killed', (view, options) => {
  // Making and removing a copy takes several times the calls.
  const STRIDE = EVERY ? 1 : options.length === 0 ? 21 : 47;
  /** A sweep with fewer kills than this proves nothing. */
  const LEAST = EVERY ? 5 : 2;
  const states = { before: '', after: '', total: 0 };

  beforeAll(async () => {
    const work = `${fixture.folder}/model-${view}`;
    mkdirSync(work);
    fill(work);
    states.before = folderState(work);
    const log = `${fixture.folder}/calls-${view}`;
    const end = await runOnOverlay({
      launcherPath: fixture.launcherPath,
      work,
      scratch: `${fixture.folder}/model-scratch-${view}`,
      command: COMMAND,
      options,
      verdict: 'commit',
      through: ['strace', '-qq', '-o', log],
    });
    expect(end.answer).toBe('committed');
    states.after = folderState(work);
    states.total = callsIn(log);
    expect(states.after).not.toBe(states.before);
    expect(states.total).toBeGreaterThan(150);
  });

  it('at any step leaves the folder as before or as after, once recovered, and says which [B2] [FT78]', {
    timeout: EVERY ? 3_000_000 : 600_000,
  }, async () => {
    const seen = { before: 0, after: 0, recoveriesKilled: 0 };
    const work = `${fixture.folder}/work-killed`;
    const scratch = `${fixture.folder}/scratch-killed`;
    for (let count = 1; count <= states.total; count += STRIDE) {
      mkdirSync(work);
      fill(work);
      const { launcherPath } = fixture;
      await runOnOverlay({
        launcherPath,
        work,
        scratch,
        command: COMMAND,
        options,
        verdict: 'commit',
        through: killedAt(count),
      });
      seen.recoveriesKilled += await recoverAgainAndAgain(work, scratch);
      const { code, said } = await recoverOverlay(launcherPath, work, scratch);
      expect(code, `killed at ${count}: ${said}`).toBe(0);
      expect(folderState(work), `killed at ${count}, said ${said}`).toBe(
        said === 'committed' ? states.after : states.before,
      );
      expect(readCommitMark(scratch)).toBe(said === 'committed' ? 'committed' : 'none');
      seen[said === 'committed' ? 'after' : 'before'] += 1;
      for (const folder of [work, scratch]) rmSync(folder, { recursive: true });
    }
    expect(seen.before).toBeGreaterThan(LEAST);
    expect(seen.after).toBeGreaterThan(0);
    expect(seen.recoveriesKilled).toBeGreaterThan(LEAST);
  });

  it('whose disk fails permanently loses nothing: recovery undoes the rest [B2] [FT80]', async () => {
    const ends = { stuck: 0, settled: 0 };
    const work = `${fixture.folder}/work-failing`;
    const scratch = `${fixture.folder}/scratch-failing`;
    for (let from = 2; from < 20; from += FAILING_STRIDE) {
      mkdirSync(work);
      fill(work);
      const { launcherPath } = fixture;
      const through = [...STRACE, '-e', `inject=renameat2:error=EIO:when=${from}+`];
      const { records } = await runOnOverlay({
        launcherPath,
        work,
        scratch,
        command: COMMAND,
        options,
        verdict: 'commit',
        through,
      });
      const stuck = records.at(-1)?.startsWith('stuck ') === true;
      const said = records.at(-1) ?? '';
      const expected = said === 'committed' ? states.after : states.before;
      ends[stuck ? 'stuck' : 'settled'] += 1;
      if (!stuck) expect(folderState(work), `from ${from}: ${said}`).toBe(expected);
      expect((await recoverOverlay(launcherPath, work, scratch)).code, said).toBe(0);
      expect(folderState(work), `from ${from}: ${said}`).toBe(expected);
      for (const folder of [work, scratch]) rmSync(folder, { recursive: true });
    }
    expect(ends.stuck).toBeGreaterThan(MOSTLY);
  });

  it('whose disk can not be flushed keeps nothing, whichever flush it is, and says so [B2] [FT80]', async () => {
    const { launcherPath } = fixture;
    const work = `${fixture.folder}/work-unflushed`;
    const scratch = `${fixture.folder}/scratch-unflushed`;
    const ends = { committed: 0, failed: 0, stuck: 0 };
    const endOf = (answer: string) =>
      answer === 'committed' ? answer : /^stuck/.test(answer) ? 'stuck' : 'failed';
    for (let from = 1; from < 40; from += UNFLUSHED_STRIDE) {
      mkdirSync(work);
      fill(work);
      const through = [...STRACE, '-e', `inject=fsync:error=EIO:when=${from}+`];
      const run = {
        launcherPath,
        work,
        scratch,
        command: COMMAND,
        options,
        verdict: 'commit',
        through,
      } as const;
      const { answer = 'nothing' } = await runOnOverlay(run);
      const expected = answer === 'committed' ? states.after : states.before;
      ends[endOf(answer)] += 1;
      // An undo that can't be flushed must not be reported: recovery must repeat it, with a working
      // disk.
      if (endOf(answer) !== 'stuck') expect(folderState(work), `from ${from}: ${answer}`).toBe(expected);
      expect((await recoverOverlay(launcherPath, work, scratch)).code, `from ${from}: ${answer}`).toBe(0);
      expect(folderState(work), `from ${from}: ${answer}`).toBe(expected);
      for (const folder of [work, scratch]) rmSync(folder, { recursive: true });
    }
    expect(ends.failed).toBeGreaterThan(SOME);
    expect(ends.stuck).toBeGreaterThan(SOME);
  });

  /**
   * Kills the recovery of the same scratch folder at ever later steps, on copies, until one
   * completes.
   */
  async function recoverAgainAndAgain(work: string, scratch: string): Promise<number> {
    let kills = 0;
    for (let count = 8; count < 200; count += STRIDE * 4) {
      const { code } = await recoverOverlay(fixture.launcherPath, work, scratch, killedAt(count));
      if (code === 0) break;
      kills += 1;
    }
    return kills;
  }
});

describe('recovery', () => {
  it('leaves a settled command alone, and says what became of it', async () => {
    const work = `${fixture.folder}/settled`;
    mkdirSync(work);
    fill(work);
    const scratch = `${fixture.folder}/settled-scratch`;
    await runOnOverlay({
      launcherPath: fixture.launcherPath,
      work,
      scratch,
      command: COMMAND,
      verdict: 'commit',
    });
    const after = folderState(work);
    expect(await recoverOverlay(fixture.launcherPath, work, scratch)).toEqual({
      code: 0,
      said: 'committed',
    });
    expect(folderState(work)).toBe(after);
  });

  it.each([
    ['empty', ''],
    ['cut', 'BLKDJ01'],
    ['of another kind', 'x'.repeat(4_000)],
  ])('touches nothing by a journal that is %s', async (_what, journal) => {
    const [work, scratch] = [`${fixture.folder}/j`, `${fixture.folder}/j-scratch`];
    for (const folder of [work, scratch]) mkdirSync(folder);
    fill(work);
    const before = folderState(work);
    writeFileSync(`${scratch}/journal`, journal);
    const { code, said } = await recoverOverlay(fixture.launcherPath, work, scratch);
    expect([code, said]).toEqual([1, 'failed 22 .']);
    expect(folderState(work)).toBe(before);
    for (const folder of [work, scratch]) rmSync(folder, { recursive: true });
  });
});

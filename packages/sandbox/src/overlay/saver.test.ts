import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, finished } from '../testing/box-fixture.ts';
import { runOnOverlay } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** `OVERLAY_SAVES=10000` for the long run. */
const SAVES = Number(process.env['OVERLAY_SAVES'] ?? sweepOf(300, 10_000));
const FILES = 4;

/**
 * A process appends numbers to files, in place or by renaming a new version over the old, while
 * commands read and rewrite the same files. A save that a commit overwrote would be a missing
 * number at the end.
 *
 * @param pause of a command between its reading and its writing
 */
async function lostSaves(
  how: 'in place' | 'by renaming',
  commit: (command: string) => Promise<boolean>,
  pause = '',
) {
  const work = `${fixture.folder}/${how.replace(' ', '-')}-${commit.name}`;
  mkdirSync(work);
  const files = Array.from({ length: FILES }, (_, index) => `${work}/file${index}`);
  for (const file of files) writeFileSync(file, '');
  const driver = fileURLToPath(new URL('../testing/constant-saver.ts', import.meta.url));
  const saver = fork(driver, [JSON.stringify({ files, saves: SAVES, how })], { stdio: 'inherit' });
  const ended = once(saver, 'exit');
  const counts = { commits: 0, refused: 0 };
  while (saver.exitCode === null && saver.signalCode === null) {
    const name = `file${(counts.commits + counts.refused) % FILES}`;
    const kept = await commit(
      `cd ${work} && text=$(cat ${name}) && ${pause}printf '%s\\ncommand\\n' "$text" > ${name}`,
    );
    counts[kept ? 'commits' : 'refused'] += 1;
  }
  expect((await ended)[0]).toBe(0);
  const found = new Set(files.flatMap((file) => readFileSync(file, 'utf8').split('\n')));
  const lost = Array.from({ length: SAVES }, (_, save) => String(save)).filter((save) => !found.has(save));
  return { ...counts, lost: lost.length, work };
}

describe('a person who saves all the time', () => {
  let runs = 0;
  const onOverlay = (how: string) =>
    async function overlay(command: string): Promise<boolean> {
      runs += 1;
      const work = `${fixture.folder}/${how.replace(' ', '-')}-overlay`;
      const scratch = `${fixture.folder}/scratch${runs}`;
      const end = await runOnOverlay({
        launcherPath: fixture.launcherPath,
        work,
        scratch,
        command,
        verdict: 'commit',
      });
      return end.answer === 'committed';
    };

  it.each(['in place', 'by renaming'] as const)(
    `loses none of ${SAVES} saves, made %s [B2]`,
    {
      timeout: 240_000 + SAVES * 40,
    },
    async (how) => {
      const { commits, refused, lost } = await lostSaves(how, onOverlay(how));
      expect(lost, `${commits} commits, ${refused} refused`).toBe(0);
      expect(commits).toBeGreaterThan(0);
    },
  );

  it('control: loses some to commands that write the files without an overlay', {
    timeout: 240_000 + SAVES * 40,
  }, async () => {
    async function plain(command: string): Promise<boolean> {
      const { code } = await finished(
        spawn('/bin/bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] }),
      );
      return code === 0;
    }
    expect((await lostSaves('in place', plain, 'sleep 0.05 && ')).lost).toBeGreaterThan(0);
  });
});

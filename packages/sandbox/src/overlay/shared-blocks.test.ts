import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SharingDisk, type SharingKind } from '@bulkhead/testkit/disk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, NOBODY } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { runOnOverlay } from '../testing/overlay-run.ts';
import { randomCommand, randomTree } from '../testing/random-effects.ts';

const KINDS: readonly SharingKind[] = ['xfs', 'btrfs'];
const SEEDS = 8;
const MIB = 1024 ** 2;

let fixture: BoxFixture;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe.each(KINDS)('a command on a copy on %s', (kind) => {
  it('shares the blocks of what it does not change, and is kept or dropped exactly', async ({ skip }) => {
    using disk = SharingDisk.open(kind);
    if (disk === undefined)
      return skip(`mkfs.${kind}, loop mounts or the rights for them are not here: nothing is proved`);
    const { launcherPath } = fixture;
    const [work, large] = [`${disk.folder}/w`, `${disk.folder}/w/large`];
    mkdirSync(work);
    // More than a copy without shared blocks may have.
    writeFileSync(large, Buffer.alloc(80 * MIB, 'x'));
    const before = disk.usedBytes();
    let meanwhile = 0;
    const end = await runOnOverlay({
      launcherPath,
      work,
      scratch: `${disk.folder}/s`,
      options: ['--copy'],
      command: 'echo more >> large',
      verdict: 'commit',
      meanwhile: () => {
        meanwhile = disk.usedBytes();
      },
    });
    expect(end.answer, end.stderr).toBe('committed');
    expect(meanwhile - before).toBeLessThan(20 * MIB);
    expect(readFileSync(large).subarray(-6).toString()).toBe('xmore\n');
    rmSync(work, { recursive: true });
    for (let seed = 1; seed <= SEEDS; seed++) await compare(disk.folder, seed);
  });

  it('is made for an ordinary user as well', async ({ skip }) => {
    using disk = SharingDisk.open(kind);
    if (disk === undefined)
      return skip(`mkfs.${kind}, loop mounts or the rights for them are not here: nothing is proved`);
    chmodSync(disk.folder, 0o777);
    const work = `${disk.folder}/w`;
    const fill = `mkdir ${work} && echo x > ${work}/f && exec "$0" "$@"`;
    const end = await runOnOverlay({
      launcherPath: fixture.launcherPath,
      work,
      scratch: `${disk.folder}/s`,
      options: ['--copy'],
      command: 'echo y >> f; mkdir d; echo z > d/z',
      verdict: 'commit',
      through: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', 'bash', '-c', fill],
      owner: NOBODY,
    });
    expect(end.answer, end.stderr).toBe('committed');
    expect(readFileSync(`${work}/f`, 'utf8') + readFileSync(`${work}/d/z`, 'utf8')).toBe('x\ny\nz\n');
  });
});

/** Runs a random command on a copy and unboxed, and compares the results. */
async function compare(folder: string, seed: number): Promise<void> {
  const [work, twin] = [`${folder}/w${seed}`, `${folder}/t${seed}`];
  const unboxed = (cwd: string, command: string) =>
    spawnSync('/bin/bash', ['-c', command], { cwd, env: { PATH: '/usr/bin:/bin' } });
  for (const path of [work, twin]) {
    mkdirSync(path);
    unboxed(path, randomTree(seed));
  }
  const command = randomCommand(seed);
  const end = await runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch: `${folder}/s${seed}`,
    options: ['--copy'],
    command,
    verdict: 'commit',
  });
  expect(end.answer, `seed ${seed}: ${command}`).toBe('committed');
  unboxed(twin, command);
  expect(folderState(work), `seed ${seed}: ${command}`).toBe(folderState(twin));
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { runOnOverlay } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Runs the command on an overlay of one folder and unboxed in its twin, both prepared equally. */
async function both(prepare: string, command: string) {
  runs += 1;
  const [work, twin] = [`${fixture.folder}/work${runs}`, `${fixture.folder}/twin${runs}`];
  for (const folder of [work, twin]) {
    mkdirSync(folder);
    unboxed(folder, prepare);
  }
  const scratch = `${fixture.folder}/scratch${runs}`;
  const end = await runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch,
    command,
    verdict: 'commit',
  });
  unboxed(twin, command);
  return { end, work, twin };
}

function unboxed(cwd: string, command: string): void {
  execFileSync('/bin/bash', ['-c', command], { cwd, stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } });
}

const FILES = sweepOf(2_000, 20_000);
const REPLACED = sweepOf(400, 4_000);
/** As a package manager leaves it: many packages, a few files each, some links. */
const INSTALL = `for p in $(seq ${FILES / 20}); do mkdir -p node_modules/p$p/lib; for f in 1 2 3 4 5 6 7 8 9 10; do echo "$p $f" > node_modules/p$p/f$f; echo "$p" > node_modules/p$p/lib/f$f; done; done; mkdir node_modules/.bin; ln -s ../p1/f1 node_modules/.bin/one`;
const GIT = `git -c user.name=a -c user.email=a@b.c -c commit.gpgsign=false -c init.defaultBranch=main`;
const DATE = `export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' HOME=/nowhere GIT_CONFIG_NOSYSTEM=1`;

describe('the size of the changes of a command', () => {
  it(`${FILES} new files come over as one folder [B2]`, async () => {
    const { end, work, twin } = await both(':', INSTALL);
    expect(end.answer).toBe('committed');
    expect(end.records.filter((record) => record.startsWith('change created file')).length).toBe(FILES);
    expect(folderState(work)).toBe(folderState(twin));
  });

  it(`a folder of ${REPLACED} files replaced file by file comes over`, async () => {
    const names = `$(seq ${REPLACED})`;
    const { end, work, twin } = await both(
      `mkdir d; for f in ${names}; do echo $f > d/$f; done`,
      `for f in ${names}; do echo new $f > d/$f; done`,
    );
    expect(end.answer).toBe('committed');
    expect(folderState(work)).toBe(folderState(twin));
  });

  it('git does its work, and its own checks find nothing wrong', async () => {
    const prepare = `${DATE}; ${GIT} init -q .; for f in a b c; do echo $f > $f; done; ${GIT} add .; ${GIT} commit -qm first`;
    const work1 = `${GIT} checkout -qb side && echo more >> a && rm b && ${GIT} add -A && ${GIT} commit -qm second && ${GIT} checkout -q main && ${GIT} merge -q side -m merged && ${GIT} gc -q && ${GIT} tag v1`;
    const { end, work, twin } = await both(prepare, `${DATE}; ${work1}`);
    expect([end.code, end.answer, end.stderr]).toEqual([0, 'committed', '']);
    const ask = (folder: string, what: string) =>
      execFileSync('/bin/bash', ['-c', `${DATE}; git -c safe.directory='*' ${what}`], {
        cwd: folder,
        encoding: 'utf8',
      });
    for (const what of ['log --format=%H', 'status --porcelain', 'show-ref', 'fsck --strict'])
      expect(ask(work, what), what).toBe(ask(twin, what));
  });

  it('a large sparse file stays sparse, and appending to it appends', async () => {
    const { end, work, twin } = await both(
      'truncate -s 200M big; echo end >> big',
      'echo more >> big; truncate -s 300M hole',
    );
    expect(end.answer).toBe('committed');
    for (const name of ['big', 'hole']) {
      expect(statSync(`${work}/${name}`).size).toBe(statSync(`${twin}/${name}`).size);
      expect(statSync(`${work}/${name}`).blocks).toBeLessThan(1_000);
    }
  });
});

describe('a command that would fill the disk', () => {
  it('is stopped while there is room left, and dropped unless it is to be kept', async () => {
    const free = Number(
      execFileSync('stat', ['-f', '-c', '%a * %S', fixture.folder], { encoding: 'utf8' })
        .trim()
        .split(' * ')
        .reduce((product, part) => String(Number(product) * Number(part))),
    );
    const work = `${fixture.folder}/flood`;
    mkdirSync(work);
    const end = await runOnOverlay({
      launcherPath: fixture.launcherPath,
      work,
      scratch: `${fixture.folder}/flood-scratch`,
      command: 'head -c 3G /dev/zero > flood',
      verdict: 'drop',
      options: ['--min-free-bytes', String(free - 200 * 1024 ** 2)],
    });
    expect(end.records.slice(0, 2)).toEqual(['stopped disk-full', 'ended 137']);
    const [change] = end.records.filter((record) => record.startsWith('change'));
    expect(Number(change?.split(' ')[6])).toBeLessThan(2 * 1024 ** 3);
    expect(end.answer).toBe('dropped');
  });
});

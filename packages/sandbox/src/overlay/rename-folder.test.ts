import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture, NOBODY } from '../testing/box-fixture.ts';
import { folderState } from '../testing/folder-state.ts';
import { type OverlayEnd, type OverlayRun, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  runs += 1;
  work = `${fixture.folder}/w${runs}`;
  mkdirSync(`${work}/old/in/deep`, { recursive: true });
  for (const name of ['old/a', 'old/in/b', 'old/in/deep/c']) writeFileSync(`${work}/${name}`, `${name}\n`);
  chmodSync(`${work}/old/in/b`, 0o640);
  chmodSync(`${work}/old/in/deep`, 0o750);
  symlinkSync('in/b', `${work}/old/l`);
  utimesSync(`${work}/old/in`, 1_000_000, 1_000_000);
});

function run(command: string, changes: Partial<OverlayRun> = {}): Promise<OverlayEnd> {
  runs += 1;
  const { launcherPath } = fixture;
  const scratch = `${fixture.folder}/s${runs}`;
  return runOnOverlay({ launcherPath, work, scratch, command, verdict: 'commit', ...changes });
}

/** A program that calls rename itself and copies nothing, unlike `mv`. */
const rename = (from: string, to: string) => `python3 -c '
import os, sys
try: os.rename("${from}", "${to}")
except OSError as error: sys.exit(error.strerror)'`;

describe.each(VIEWS)('a folder that was there before is renamed on %s', (_view, options) => {
  it('by any program, with everything in it, and the folder shows it [B2]', async () => {
    const before = folderState(`${work}/old`);
    const { code, stderr, answer } = await run(`${rename('old', 'new')} && ls -A && cat new/in/b`, {
      options,
    });
    expect({ code, stderr, answer }).toEqual({ code: 0, stderr: '', answer: 'committed' });
    expect(readdirSync(work)).toEqual(['new']);
    expect(folderState(`${work}/new`)).toBe(before);
    expect(lstatSync(`${work}/new/in`).mtimeMs).toBe(1_000_000_000);
  });

  it('and back: nothing has changed [B2]', async () => {
    const before = folderState(work);
    const { answer } = await run(`${rename('old', 'new')} && ${rename('new', 'old')}`, { options });
    expect(answer).toBe('committed');
    expect(folderState(work)).toBe(before);
  });

  it('over an empty folder, into another folder, by absolute and by relative names [B2]', async () => {
    mkdirSync(`${work}/empty`);
    mkdirSync(`${work}/side/sub`, { recursive: true });
    const command = [
      rename('old/', 'empty'),
      `cd side/sub && ${rename('../../empty/in', `${work}/side/moved`)}`,
      rename(`/tmp/..${work}/side`, '../other'),
    ];
    const { code, stderr, answer } = await run(
      [command[0], `(${command[1]})`, `cd ${work}/empty && ${command[2]}`].join(' && '),
      { options },
    );
    expect({ code, stderr, answer }).toEqual({ code: 0, stderr: '', answer: 'committed' });
    expect(readdirSync(work).toSorted()).toEqual(['empty', 'other']);
    expect(readdirSync(`${work}/other`).toSorted()).toEqual(['moved', 'sub']);
    expect(readFileSync(`${work}/other/moved/deep/c`, 'utf8')).toBe('old/in/deep/c\n');
  });

  it('not over a folder with something in it, nor below itself, nor if it is missing [B2]', async () => {
    mkdirSync(`${work}/full`);
    writeFileSync(`${work}/full/x`, 'x');
    const before = folderState(work);
    const tries = [rename('old', 'full'), rename('old', 'old/in/new'), rename('gone', 'new')];
    const { stderr } = await run(tries.join('; '), { options });
    expect(stderr.trim().split('\n')).toEqual([
      'Directory not empty',
      'Invalid argument',
      'No such file or directory',
    ]);
    expect(folderState(work)).toBe(before);
  });

  it('by many processes at once, each its own [B2]', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    for (const name of names) {
      mkdirSync(`${work}/${name}/in`, { recursive: true });
      writeFileSync(`${work}/${name}/in/f`, name);
    }
    const command = names.map((name) => `(${rename(name, `${name}-new`)}) &`).join(' ');
    const { stderr, answer } = await run(`${command} wait`, { options });
    expect({ stderr, answer }).toEqual({ stderr: '', answer: 'committed' });
    for (const name of names) expect(readFileSync(`${work}/${name}-new/in/f`, 'utf8')).toBe(name);
    expect(readdirSync(work).filter((name) => /^d\d+$/.test(name))).toEqual([]);
  });
});

describe('renaming a folder', () => {
  it.runIf(process.getuid?.() === 0)('works for an ordinary user, who owns it [B2]', async () => {
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, work]);
    const through = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
    chmodSync(`${work}/old/in`, 0o555);
    const { code, stderr, answer } = await run(rename('old', 'new'), { through, owner: NOBODY });
    expect({ code, stderr, answer }).toEqual({ code: 0, stderr: '', answer: 'committed' });
    expect(readFileSync(`${work}/new/in/deep/c`, 'utf8')).toBe('old/in/deep/c\n');
    expect(lstatSync(`${work}/new/in`).mode & 0o777).toBe(0o555);
  });

  it('never crosses from one file system to another: that stays an error [B2]', async () => {
    const { stderr } = await run(`mkdir /tmp/there && ${rename('old', '/tmp/there/new')}`);
    expect(stderr).toBe('Invalid cross-device link\n');
    expect(existsSync(`${work}/old/in/deep/c`)).toBe(true);
  });

  it('leaves a folder alone that holds a hidden file, which must stay hidden [B2]', async () => {
    const hidden = `${work}/old/in/secret`;
    writeFileSync(hidden, 'canary');
    const { stderr } = await run(`${rename('old', 'new')}; cat new/in/secret old/in/secret`, {
      options: ['--hide', hidden],
    });
    expect(stderr).toContain('cross-device');
    expect(readFileSync(hidden, 'utf8')).toBe('canary');
  });

  it('gives the process that does it no right of its own: no one can trace it or take its place [B2]', async () => {
    const { stdout } = await run(
      'cd /proc; for n in [0-9]*; do [ -d $n ] && [ $n != $$ ] && readlink $n/exe $n/cwd; done; echo end',
    );
    expect(stdout.split('\n').filter((line) => line !== '' && line !== 'end')).toEqual([]);
    expect(stdout).toContain('end');
  });
});
